// Hints (14.4): how this language writes what the text has in the way of another one. They are found when the whole text
// has been read, from the code of an error and from the words near its place, so that no command knows other languages.

import { runToEnd } from '#kernel/sliced-work.ts';
import { SYSTEM_OBJECTS } from './commands/shared/system-objects.ts';
import { beginsWithPair, conditionFrom, plainQuery, selectorFrom, statementFrom } from './foreign-text.ts';
import { isAggregateName } from './functions/index.ts';
import { quoted } from './language/strings.ts';
import type { QueryErrorCode } from './model/messages.ts';
import { type Hint, type QueryError, QueryErrorList } from './model/query-error.ts';
import { parseText } from './parse.ts';
import { normalizedText } from './planning/command.ts';
import type { QueryContext } from './planning/query-context.ts';

/** Characters of the text that are looked at before and behind an error: hostile text is long. */
const MAX_NEAR = 400;

/** Objects that a hint may name, of those that the caller may see. */
export type HintFacts = Pick<QueryContext, 'tables' | 'procedures' | 'node' | 'askingNode' | 'otherNodes'>;

/** Adds hints to an error; `text` has plain marks (2.2). */
export function addHints(error: QueryError, text: string, facts: HintFacts): void {
  const find = FINDERS[error.code];
  if (!find) return;
  const known = error.help.hints ?? [];
  const found = find(new ErrorContext(error, text, facts)).filter(({ code }) =>
    known.every((hint) => hint.code !== code),
  );
  error.help = { ...error.help, hints: [...known, ...found] };
}

/** The words near an error. */
class ErrorContext {
  readonly error: QueryError;
  readonly facts: HintFacts;
  readonly #text: string;

  constructor(error: QueryError, text: string, facts: HintFacts) {
    this.error = error;
    this.facts = facts;
    this.#text = text;
  }

  /** The command from its word on. */
  get segment(): string {
    const { begin } = this.error;
    const [segment] = SEGMENT.exec(this.#text.slice(begin, begin + MAX_SEGMENT)) ?? [''];
    return segment.trimEnd();
  }

  get rest(): string {
    return this.segment.slice(this.here.length).trim();
  }

  /** The place of so much text from the error on; absent where that is the error itself. */
  spanOf(length: number): Pick<Hint, 'at'> {
    const { begin, end } = this.error;
    return begin + length === end ? {} : { at: { begin, end: begin + length } };
  }

  /** A text in the place of the whole command, normalized; absent where it could not be read here. */
  replacingSegment(written: string | undefined): Pick<Hint, 'at' | 'replacement'> {
    if (written === undefined) return {};
    const replacement = this.isFirst
      ? normalizedOf(written)
      : normalizedOf(`${NO_ROWS}${written}`)?.slice(NO_ROWS.length);
    return replacement === undefined ? {} : { ...this.spanOf(this.segment.length), replacement };
  }

  /** Whether a name is that of a readable table, or has a star and fits one. */
  readonly fits = (name: string): boolean => {
    const { tables } = this.facts;
    if (!name.includes('*')) return tables.has(name);
    const [first = '', last, ...more] = name.split('*');
    if (more.length > 0 || last === undefined || (first !== '' && last !== '')) return false;
    return [...tables.keys()].some((table) => table.startsWith(first) && table.endsWith(last));
  };

  /** The text at the place. */
  get here(): string {
    const { begin, end } = this.error;
    return this.#text.slice(begin, Math.min(end, begin + MAX_NEAR));
  }

  /** From the error to the end of the text, as far as it is looked at. */
  get whole(): string {
    return this.#text.slice(this.error.begin, this.error.begin + MAX_SEGMENT);
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

/** Characters of a command that are rewritten. */
const MAX_SEGMENT = 1024;
/** Up to the next pipe outside of strings, and to the end of the brackets around it. */
const SEGMENT = /^(?:"(?:\\.|[^"\\])*"|\[[^\]]*\]|[^"|\][])*/u;

/** A command before others that are read alone. */
const NO_ROWS = 'drop | ';

/** Undefined for a text that has an error. */
function normalizedOf(text: string): string | undefined {
  const errors = new QueryErrorList();
  const { query } = runToEnd(parseText(text, errors));
  return errors.found.length > 0 ? undefined : normalizedText(query);
}

const NAME = '[\\p{L}_@][\\p{L}\\p{Nd}\\p{M}_@.:]*';
const FIELD = 'F';
const TABLE = 'TABLE';

type Finder = (context: ErrorContext) => readonly Hint[];

const FINDERS: Readonly<Partial<Record<QueryErrorCode, Finder>>> = {
  90002: ({ here }) => (here.includes('#') ? [{ code: 91004 }] : []),
  92000: (context) => {
    const found = [...foreignCommand(context), ...pipeInSql(context)];
    return found.length > 0 ? found : plainText(context);
  },
  90003: (context) => pipeInSql(context),
  10602: ({ here }) => [here.startsWith('$(') ? { code: 91055 } : { code: 91031 }],
  10500: ({ facts: { node, askingNode, otherNodes } }) => [
    {
      code: 91052,
      values: { names: [...new Set([node, askingNode ?? node, ...(otherNodes?.keys() ?? [])])].join(', ') },
    },
  ],
  95000: () => [{ code: 91053, values: { names: Object.keys(SYSTEM_OBJECTS).join(', ') } }],
  92001: (context) => [tableFirst(context)],
  90306: (context) => unitOf(context, String(context.error.values.name), FUNCTION_UNITS),
  90010: (context) => unitOf(context, String(context.error.values.value), DURATION_UNITS),
  22000: ({ here }) => [...percentileOf(here), ...aggregateOf(here)],
  90300: ({ error, here }) => [...percentileOf(String(error.values.name)), ...aggregateOf(here)],
  22400: (context) => numbersWithComma(context),
  20300: ({ here }) => [{ code: 91028, ...(here === '=' ? { replacement: 'as' } : {}) }],
  20500: () => [{ code: 91029 }],
  90304: () => [{ code: 91030 }],
  20502: () => [{ code: 91032 }],
  90001: (context) => [...newTable(context), ...backFromNow(context), ...countOption(context)],
  22101: () => [{ code: 91042 }],
  90307: () => [{ code: 91044 }],
  90011: (context) => keyBehindOn(context),
  90012: (context) => [...keyBehindOn(context), ...assignmentTooMany(context)],
  10001: (context) => meta(context),
  90201: (context) => [...meta(context), ...nameOfProcedure(context), ...nameWithSign(context)],
  90207: (context) => nameOfProcedure(context),
  90302: ({ error: { values }, here }) => [
    ...(values.name === '$' && NAME_ALONE.test(here)
      ? [{ code: 91056, values: { name: here }, replacement: `"${here}"` } as const]
      : []),
    ...((values.name === 'encrypt' || values.name === 'decrypt') && values.n === 2
      ? [{ code: 91048, replacement: '$("secret_key")' } as const]
      : []),
  ],
};

/** Commands of other languages, by their words. */
const FOREIGN: Readonly<Record<string, Finder>> = {
  ...same(['where', 'filter', 'grep'], (context) => [condition(context)]),
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
  transaction: (context) => [transaction(context)],
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
  const word = context.here.toLowerCase();
  if (Object.hasOwn(FOREIGN, word)) return FOREIGN[word]?.(context) ?? [];
  if (!isAggregateName(word)) return [];
  const called = /^\s*\([^()]*\)/.exec(context.behind)?.[0].trim() ?? '';
  const values = { name: `${word}${called}`, field: context.nameBehind(/\sby/, FIELD) };
  return [{ code: 91027, values, replacement: `stats ${word}` }];
}

function condition(context: ErrorContext): Hint {
  const { here, rest, isFirst } = context;
  const isText = here.toLowerCase() === 'grep';
  const written = isText ? `contains(line, ${quoted(rest.replace(/^(["'])(.*)\1$/s, '$2'))})` : conditionFrom(rest);
  const search = written === undefined || rest === '' ? undefined : `search ${written}`;
  const placed = context.replacingSegment(search && isFirst ? `table * | ${search}` : search);
  const shown = placed.replacement?.replace(/^.*?\bsearch /s, '') ?? context.behind;
  return { code: 91010, values: { condition: shown || '…' }, ...placed };
}

/** A query that begins with a condition. */
function tableFirst(context: ErrorContext): Hint {
  const { here, rest, segment } = context;
  const values = { name: TABLE, command: `${here} ${context.behind}`.trim() };
  if (here !== 'search' || rest === '') return { code: 91046, values };
  const asCondition = context.replacingSegment(`table * | ${segment}`);
  const placed =
    asCondition.replacement === undefined ? context.replacingSegment(plainQuery(rest, context.fits)) : asCondition;
  return { code: 91046, values, ...placed };
}

function transaction(context: ErrorContext): Hint {
  const field = context.nextName(FIELD);
  const written = `stats first(_time), last(_time), count by ${field}`;
  const replaced = field === FIELD ? {} : { ...context.spanOf(context.segment.length), replacement: written };
  return { code: 91064, values: { field }, ...replaced };
}

/** A text that is no command of any language: words to search for. */
function plainText(context: ErrorContext): readonly Hint[] {
  if (!context.isFirst || context.error.help.hints?.length) return [];
  const { segment, error, here } = context;
  const found = segment.startsWith('{') ? selectorFrom(context.whole) : undefined;
  if (found) {
    const replacement = normalizedOf(found.query);
    if (replacement === undefined) return [];
    return [{ code: 91057, values: { replacement }, ...context.spanOf(found.length), replacement }];
  }
  const isPlain = beginsWithPair(segment) || context.fits(here) || (error.help.suggestions ?? []).length === 0;
  const placed = isPlain ? context.replacingSegment(plainQuery(segment, context.fits)) : {};
  const { replacement } = placed;
  return replacement === undefined ? [] : [{ code: 91057, values: { replacement }, ...placed }];
}

/** Words of other languages for an aggregate. */
const AGGREGATES: Readonly<Record<string, readonly string[]>> = {
  dc: ['distinct_count', 'dcount', 'count_distinct', 'cardinality', 'nunique'],
  avg: ['mean', 'average'],
  stddev: ['stdev', 'std'],
  var: ['variance'],
  array: ['list', 'make_list'],
  values: ['make_set'],
};

function aggregateOf(here: string): readonly Hint[] {
  const [name] = Object.entries(AGGREGATES).find(([, words]) => words.includes(here.toLowerCase())) ?? [];
  return name === undefined ? [] : [{ code: 91050, values: { word: here, name }, replacement: name }];
}

const NAME_ALONE = /^[\p{L}_][\p{L}\p{Nd}\p{M}_]*$/u;

const newTable = ({ error: { values } }: ErrorContext): readonly Hint[] =>
  values.command === 'import' && values.name === 'create' ? [{ code: 91036 }] : [];

/** `last=1d`, `earliest=-1d`. */
function backFromNow({ error, segment }: ErrorContext): readonly Hint[] {
  const { command, name } = error.values;
  if (!/^(?:table|fulltext)$/.test(String(command)) || !['last', 'since', 'earliest'].includes(String(name))) return [];
  const [option, d = ''] = /^[a-z]+="?-?(\d+(?:mon|[smhdwy]))"?(?=\s|$)/.exec(segment) ?? [];
  if (option === undefined) return [{ code: 91062, values: { d: '1d' } }];
  return [
    {
      code: 91062,
      values: { d },
      at: { begin: error.begin, end: error.begin + option.length },
      replacement: `duration=${d}`,
    },
  ];
}

/** `top limit=10 user`. */
function countOption({ error, segment }: ErrorContext): readonly Hint[] {
  const { command, name } = error.values;
  const [option, n] = /^limit=(\d+)(?=\s|$)/.exec(segment) ?? [];
  if (!['top', 'rare'].includes(String(command)) || name !== 'limit' || option === undefined || n === undefined)
    return [];
  const field = /^\s+(\S+)/.exec(segment.slice(option.length))?.[1] ?? FIELD;
  return [
    { code: 91016, values: { n, field }, at: { begin: error.begin, end: error.begin + option.length }, replacement: n },
  ];
}

/** `limit 10, 20`. */
function numbersWithComma({ error, before, segment }: ErrorContext): readonly Hint[] {
  const [, offset] = /\blimit\s+(\d+)\s*$/.exec(before) ?? [];
  const [rest, n] = /^,\s*(\d+)/.exec(segment) ?? [];
  if (offset === undefined || rest === undefined || n === undefined) return [];
  const begin = error.begin - (/\d+\s*$/.exec(before)?.[0].length ?? 0);
  const at = { begin, end: error.begin + rest.length };
  return [{ code: 91063, values: { offset, n }, at, replacement: `${offset} ${n}` }];
}

/** `eval a = 1 b = 2`. */
function assignmentTooMany({ before, here, behind }: ErrorContext): readonly Hint[] {
  const isAssigned = /(?:^|[|[])\s*(?:eval|evalc|set)\s[^|[]*$/.test(before) && /^=(?!=)/.test(behind);
  return isAssigned && NAME_ALONE.test(here) ? [{ code: 91054, values: { name: here }, replacement: `, ${here}` }] : [];
}

const firstRows = ({ behind }: ErrorContext): Hint => ({ code: 91011, values: { n: /\d+/.exec(behind)?.[0] ?? '10' } });

const grouping = (context: ErrorContext): Hint => ({
  code: 91012,
  values: { field: context.nameBehind(/\sby/, FIELD) },
});

const CHOSEN_COLUMNS: Hint = { code: 91013, replacement: 'fields' };

function beginning(context: ErrorContext): Hint {
  const table = context.here.toLowerCase() === 'from' ? context.nextName(TABLE) : context.nameBehind(/\sfrom/i, TABLE);
  return { code: 91024, values: { table }, ...context.replacingSegment(statementFrom(context.segment)) };
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
