// Hints (14.4): how this language writes what the text has in the way of another one. They are found when the whole text
// has been read, from the code of an error and from the words near its place, so that no command knows other languages.

import { isAggregateName } from './functions/index.ts';
import type { QueryErrorCode } from './model/messages.ts';
import type { Hint, QueryError } from './model/query-error.ts';

/** Characters of the text that are looked at before and behind an error: hostile text is long. */
const MAX_NEAR = 400;

/** Adds hints to an error; `text` has plain marks (2.2). */
export function addHints(error: QueryError, text: string): void {
  const find = FINDERS[error.code];
  if (!find) return;
  const known = error.help.hints ?? [];
  const found = find(new ErrorContext(error, text)).filter(({ code }) => known.every((hint) => hint.code !== code));
  error.help = { ...error.help, hints: [...known, ...found] };
}

/** The words near an error. */
class ErrorContext {
  readonly error: QueryError;
  readonly #text: string;

  constructor(error: QueryError, text: string) {
    this.error = error;
    this.#text = text;
  }

  /** The text at the place. */
  get here(): string {
    const { begin, end } = this.error;
    return this.#text.slice(begin, Math.min(end, begin + MAX_NEAR));
  }

  get before(): string {
    const { begin } = this.error;
    return this.#text.slice(Math.max(0, begin - MAX_NEAR), begin);
  }

  /** The rest of the command. */
  get behind(): string {
    const { end } = this.error;
    return (/^(?:"(?:\\.|[^"\\])*"?|[^"|\]])*/.exec(this.#text.slice(end, end + MAX_NEAR))?.[0] ?? '').trim();
  }

  /** Whether the place is that of the first command of a query. */
  get isFirst(): boolean {
    return this.error.begin <= MAX_NEAR && /(?:^|\[)[\s|]*$/.test(this.before);
  }

  /** Whether the command before is one whose objects are SQL. */
  get isBehindSql(): boolean {
    return /(?:^|[|[])\s*db(?:query|lookup|output)\s[^|]*$/.test(this.before.replace(/[\s|]+$/, ''));
  }

  /** The first name behind a word of the command; a placeholder where there is none. */
  nameBehind(word: RegExp, placeholder: string): string {
    return new RegExp(`${word.source}\\s+(${NAME})`, 'u').exec(` ${this.behind} `)?.[1] ?? placeholder;
  }

  /** The first name of the rest of the command. */
  nextName(placeholder: string): string {
    return new RegExp(`^(${NAME})`, 'u').exec(this.behind)?.[1] ?? placeholder;
  }
}

const NAME = '[\\p{L}_@][\\p{L}\\p{Nd}\\p{M}_@.:]*';
const FIELD = 'F';
const TABLE = 'TABLE';

type Finder = (context: ErrorContext) => readonly Hint[];

const FINDERS: Readonly<Partial<Record<QueryErrorCode, Finder>>> = {
  90002: ({ here }) => (here.includes('#') ? [{ code: 91004 }] : []),
  92000: (context) => [...foreignCommand(context), ...pipeInSql(context)],
  90003: (context) => pipeInSql(context),
  10602: () => [{ code: 91031 }],
  92001: (context) => [{ code: 91046, values: { name: TABLE, command: `${context.here} ${context.behind}`.trim() } }],
  90306: (context) => unitOf(context, String(context.error.values.name), FUNCTION_UNITS),
  90010: (context) => unitOf(context, String(context.error.values.value), DURATION_UNITS),
  22000: (context) => percentileOf(context.here),
  90300: ({ error }) => percentileOf(String(error.values.name)),
  20300: ({ here }) => [{ code: 91028, ...(here === '=' ? { replacement: 'as' } : {}) }],
  20500: () => [{ code: 91029 }],
  90304: () => [{ code: 91030 }],
  20502: () => [{ code: 91032 }],
  90001: ({ error: { values } }) => (values.command === 'import' && values.name === 'create' ? [{ code: 91036 }] : []),
  22101: () => [{ code: 91042 }],
  90307: () => [{ code: 91044 }],
  90011: (context) => keyBehindOn(context),
  90012: (context) => keyBehindOn(context),
  10001: (context) => meta(context),
  90201: (context) => [...meta(context), ...nameOfProcedure(context), ...nameWithSign(context)],
  90207: (context) => nameOfProcedure(context),
  90302: ({ error: { values } }) =>
    (values.name === 'encrypt' || values.name === 'decrypt') && values.n === 2
      ? [{ code: 91048, replacement: '$("secret_key")' }]
      : [],
};

/** Commands of other languages, by their words. */
const FOREIGN: Readonly<Record<string, Finder>> = {
  ...same(['where', 'filter', 'grep'], ({ behind }) => [
    { code: 91010, values: { condition: behind || '…' }, replacement: 'search' },
  ]),
  ...same(['head', 'take', 'first'], (context) => [{ ...firstRows(context), replacement: 'limit' }]),
  tail: (context) => [firstRows(context)],
  ...same(['summarize', 'aggregate', 'agg'], (context) => [{ ...grouping(context), replacement: 'stats' }]),
  group: (context) => [grouping(context)],
  select: (context) => (context.isFirst ? [beginning(context)] : [CHOSEN_COLUMNS]),
  from: (context) => (context.isFirst ? [beginning(context)] : []),
  ...same(['project', 'keep', 'columns'], () => [CHOSEN_COLUMNS]),
  ...same(['extend', 'let', 'calc', 'mutate', 'assign'], (context) => [
    { code: 91014, values: { name: context.nextName(FIELD) }, replacement: 'eval' },
  ]),
  ...same(['uniq', 'distinct'], (context) => [
    { code: 91025, values: { field: context.nextName(FIELD) }, replacement: 'dedup' },
  ]),
};

/** Whether the word is a command of another language, or the name of an aggregate. */
export const isForeignCommand = (word: string): boolean => Object.hasOwn(FOREIGN, word) || isAggregateName(word);

function same(words: readonly string[], find: Finder): Readonly<Record<string, Finder>> {
  return Object.fromEntries(words.map((word) => [word, find]));
}

function foreignCommand(context: ErrorContext): readonly Hint[] {
  const word = context.here;
  if (Object.hasOwn(FOREIGN, word)) return FOREIGN[word]?.(context) ?? [];
  if (!isAggregateName(word)) return [];
  const called = /^\s*\([^()]*\)/.exec(context.behind)?.[0].trim() ?? '';
  const values = { name: `${word}${called}`, field: context.nameBehind(/\sby/, FIELD) };
  return [{ code: 91027, values, replacement: `stats ${word}` }];
}

const firstRows = ({ behind }: ErrorContext): Hint => ({ code: 91011, values: { n: /\d+/.exec(behind)?.[0] ?? '10' } });

const grouping = (context: ErrorContext): Hint => ({
  code: 91012,
  values: { field: context.nameBehind(/\sby/, FIELD) },
});

const CHOSEN_COLUMNS: Hint = { code: 91013, replacement: 'fields' };

function beginning(context: ErrorContext): Hint {
  const table = context.here === 'from' ? context.nextName(TABLE) : context.nameBehind(/\sfrom/i, TABLE);
  return { code: 91024, values: { table } };
}

const pipeInSql = ({ isBehindSql }: ErrorContext): readonly Hint[] => (isBehindSql ? [{ code: 91031 }] : []);

const FUNCTION_UNITS: Readonly<Record<string, readonly string[]>> = {
  year: ['y', 'yr', 'yrs', 'years', 'yyyy'],
  mon: ['month', 'months', 'mo', 'mons'],
  week: ['w', 'wk', 'weeks'],
  day: ['d', 'days'],
  hour: ['h', 'hr', 'hrs', 'hours'],
  min: ['m', 'mins', 'minute', 'minutes'],
  sec: ['s', 'secs', 'second', 'seconds'],
  msec: ['ms', 'msecs', 'millis', 'millisecond', 'milliseconds'],
};

const DURATION_UNITS: Readonly<Record<string, readonly string[]>> = {
  s: ['sec', 'secs', 'second', 'seconds'],
  m: ['min', 'mins', 'minute', 'minutes'],
  h: ['hr', 'hrs', 'hour', 'hours'],
  d: ['day', 'days'],
  w: ['wk', 'week', 'weeks'],
  mon: ['mo', 'month', 'months'],
  y: ['yr', 'year', 'years'],
};

function unitOf({ here }: ErrorContext, value: string, units: typeof FUNCTION_UNITS): readonly Hint[] {
  const word = /[a-z]+$/i.exec(value.slice(0, MAX_NEAR))?.[0] ?? '';
  const [unit] = Object.entries(units).find(([, words]) => words.includes(word.toLowerCase())) ?? [];
  if (unit === undefined) return [];
  const at = here.lastIndexOf(word);
  const replaced = at === -1 ? {} : { replacement: `${here.slice(0, at)}${unit}${here.slice(at + word.length)}` };
  return [{ code: 91018, values: { word, unit }, ...replaced }];
}

function percentileOf(name: string): readonly Hint[] {
  const [, n] = /^p(\d{1,2})$/.exec(name) ?? [];
  return n === undefined ? [] : [{ code: 91019, values: { n } }];
}

const keyBehindOn = ({ before, here }: ErrorContext): readonly Hint[] =>
  /\bjoin\s[^|[]*$/.test(before) && /\son\s+$|\son\s+\S+\s+$/.test(` ${before}`) && here !== ''
    ? [{ code: 91045 }]
    : [];

const meta = ({ before, here, behind }: ErrorContext): readonly Hint[] =>
  (/^meta\b/.test(here) || (/meta\s*$/.test(before) && here.startsWith('('))) && /^\s*\(?/.test(behind)
    ? [{ code: 91047 }]
    : [];

/** `time+ == 3`: the sign belongs to the name of a field. */
function nameWithSign({ before, here }: ErrorContext): readonly Hint[] {
  const [, name] = new RegExp(`(?:^|[^\\p{L}\\p{Nd}_@.:])(${NAME}[-+*/%])\\s+$`, 'u').exec(before) ?? [];
  return name !== undefined && /^(?:[=!<>]=|[<>])/.test(here) ? [{ code: 91006, values: { name } }] : [];
}

/** Words between `proc` and its arguments. */
function nameOfProcedure({ before, here, behind }: ErrorContext): readonly Hint[] {
  const [, begun] = /(?:^|[|[])\s*proc\s+([^|[("]*)$/.exec(before) ?? [];
  if (begun === undefined) return [];
  const name = `${begun}${here}${/^[^(|]*/.exec(behind)?.[0] ?? ''}`.trim();
  return [{ code: 91039, values: { name } }];
}
