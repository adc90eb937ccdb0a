// The declaration of a command of the language (7): grammar, normalized text, plan node and documentation. The registry in
// commands/index.ts lists the declarations; no other file knows single commands.

import type { Translated } from '#contract/values.ts';
import { ended, type MaybeSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import type { Bracket } from '#query/language/command-texts.ts';
import { isName } from '#query/language/names.ts';
import type { DescribedOption, OptionText } from '#query/language/option-readers.ts';
import {
  lateOption,
  type OptionReaders,
  type OptionValues,
  optionsText,
  type RawOptions,
  takeOptions,
} from '#query/language/options.ts';
import type { Words } from '#query/language/words.ts';
import type { QueryExample } from '#query/model/example.ts';
import type { Span } from '#query/model/expression.ts';
import type { QueryErrorCode } from '#query/model/messages.ts';
import { type Hint, QueryError } from '#query/model/query-error.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { Preamble } from '#query/plan-nodes/plan.ts';
import type { CommandPlanning } from './command-planning.ts';
import type { Planning } from './planning.ts';

export type CommandClass = 'driver' | 'processing' | 'transforming' | 'sink';

interface Documented {
  readonly name: string;
  readonly class: CommandClass;
  /** In the notation of the reference. */
  readonly syntax: string;
  readonly summary: Translated;
  /** Further rules, a sentence or two each. */
  readonly rules?: readonly string[];
  /** Codes of its own, in ascending order. */
  readonly errors: readonly QueryErrorCode[];
  readonly examples: readonly QueryExample[];
}

export interface CommandDeclaration extends Documented {
  /** Stands before the driver too (set, setq). */
  readonly mayPrecedeDriver: boolean;
  /** May begin a query though it is no driver (union). */
  readonly mayBegin: boolean;
  /** Commands after it may read a lookup that it builds (memlookup). */
  readonly mayBuildLookup: boolean;
  /** Hands on none of its rows: a driver after it drops nothing that a reader could miss. */
  readonly dropsRows: boolean;
  /** Makes no row as the first command (bypass): a driver directly behind it drops none either. */
  readonly isEmptyAtBeginning: boolean;
  /** By their keys, with the values that can be named; none for those where anything of a kind fits. */
  readonly optionWords: Readonly<Record<string, readonly string[]>>;
  /** In the order of the syntax line. */
  readonly options: readonly OptionFacts[];
  parse(words: Words, reading: Reading): SlicedWork<ParsedCommand>;
}

/** Facts that reading a command needs besides its words. */
interface Reading {
  /** Of the command's name. */
  readonly nameSpan: Span;
  readonly subquery: (bracket: Bracket) => SlicedWork<ParsedQuery>;
  /** Commands without a driver, over the rows of the enclosing pipeline. */
  readonly steps: (bracket: Bracket) => SlicedWork<ParsedQuery>;
}

/** A command of a query, read and not yet planned. */
export interface ParsedCommand extends Span {
  readonly declaration: CommandDeclaration;
  readonly nameSpan: Span;
  /** Normalized. */
  readonly text: string;
  readonly subqueries: readonly ParsedQuery[];
  /** Makes rows of its own: behind other rows it begins a new phase (7.0). */
  readonly isDriver: boolean;
  /** Changes something outside of the query, as far as its words tell. */
  readonly changes: boolean;
  /** As written. */
  readonly options: readonly OptionText[];
  /** The time zone it names for the whole query. */
  readonly zone?: string;
  /** The error of the words after it; errors in names before them are reported first. */
  readonly leftOver?: QueryError;
  readonly plan: (planning: Planning) => SlicedWork<KnownPlanNode | Preamble>;
}

/** A command that cannot be read. The commands after it are read and planned as if it were right. */
export interface LostCommand extends Span {
  /** Absent where its name is unknown too. */
  readonly declaration?: CommandDeclaration;
}

/** A pipeline: the whole text, or the text in a pair of brackets. */
export interface ParsedQuery extends Span {
  readonly commands: readonly ParsedCommand[];
  /** Only in a text with errors. */
  readonly lost: readonly LostCommand[];
}

export const normalizedText = ({ commands }: ParsedQuery): string => commands.map(({ text }) => text).join(' | ');

export const subqueryText = (query: ParsedQuery): string => `[ ${normalizedText(query)} ]`;

/** An option for its readers. */
export interface OptionFacts {
  readonly name: string;
  readonly summary: Translated;
  readonly expected: string;
  /** All allowed values, if they form a closed set. */
  readonly words?: readonly string[];
  /** The default, as it is written. */
  readonly initial?: string;
}

function optionFacts(
  name: string,
  { summary, expected, words, initial, write }: DescribedOption<unknown>,
): OptionFacts {
  return {
    name,
    summary,
    expected,
    ...(words ? { words } : {}),
    ...(initial === undefined ? {} : { initial: write(initial) }),
  };
}

/** The first word of a command whose options stand before or behind it. */
interface FirstWord<F> {
  readonly read: (words: Words) => MaybeSliced<F>;
  readonly text: (first: F) => string;
  /** Normalized text writes the options before it. */
  readonly isBehindOptions?: true;
}

interface CommandParts<R extends OptionReaders, B, F> extends Documented {
  readonly options?: R;
  /** The key of an option whose value may stand as the only object: `parsejson F` is `parsejson field=F`. */
  readonly objectOption?: string & keyof R;
  readonly first?: FirstWord<F>;
  /** Options may also stand behind all objects; normalized text has them before. */
  readonly optionsMayFollow?: true;
  /** eval and set: `a=1` is an assignment, never an option. */
  readonly hasAssignments?: true;
  readonly mayPrecedeDriver?: true;
  readonly mayBegin?: true;
  readonly mayBuildLookup?: true;
  readonly dropsRows?: true;
  readonly isEmptyAtBeginning?: true;
  /** Whether it makes rows of its own, for a command of another class that sometimes does. */
  readonly drives?: (body: B) => boolean;
  /** Whether it changes something outside of the query, for a command of another class than sink. */
  readonly changes?: (body: B) => boolean;
  /** Reads the words after the options and the first word, to the end. */
  readonly read: (
    words: Words,
    reading: Reading & { readonly options: RawOptions<R>; readonly first: F },
  ) => MaybeSliced<B>;
  /** The text after the options and the first word, normalized. */
  readonly text: (body: B) => MaybeSliced<string>;
  readonly subqueries?: (body: B) => readonly ParsedQuery[];
  readonly zone?: (body: B) => string | undefined;
  readonly plan: (body: B, planning: CommandPlanning<OptionValues<R>>) => MaybeSliced<KnownPlanNode | Preamble>;
}

const NONE = {};

export function command<const R extends OptionReaders, B, F = undefined>(
  parts: CommandParts<R, B, F>,
): CommandDeclaration {
  const {
    options: readers = NONE as R,
    first,
    objectOption,
    read,
    text,
    plan,
    hasAssignments: _,
    optionsMayFollow: __,
    subqueries,
    zone,
    drives,
    changes,
    ...documented
  } = parts;
  const declaration: CommandDeclaration = {
    ...documented,
    mayPrecedeDriver: parts.mayPrecedeDriver ?? false,
    mayBegin: parts.mayBegin ?? false,
    mayBuildLookup: parts.mayBuildLookup ?? false,
    dropsRows: parts.dropsRows ?? false,
    isEmptyAtBeginning: parts.isEmptyAtBeginning ?? false,
    optionWords: Object.fromEntries(Object.entries(readers).map(([key, { words = [] }]) => [key, words])),
    options: Object.entries(readers).map(([name, reader]) => optionFacts(name, reader)),
    *parse(words, reading) {
      const { options, word, body, rest } = yield* readParts(parts, readers, words, reading);
      yield;
      const written = optionsText(options, readers);
      const firstText = first?.text(word) ?? '';
      const heads = first?.isBehindOptions ? [...written, firstText] : [firstText, ...written];
      const normalized = [parts.name, ...heads, yield* ended(text(body))].filter((part) => part !== '').join(' ');
      const named = zone?.(body);
      const span = { begin: reading.nameSpan.begin, end: words.end };
      return {
        ...span,
        declaration,
        nameSpan: reading.nameSpan,
        text: normalized,
        subqueries: subqueries?.(body) ?? [],
        isDriver: drives?.(body) ?? parts.class === 'driver',
        changes: changes?.(body) ?? parts.class === 'sink',
        options: Object.values(options).flatMap((given) => given?.at ?? []),
        ...(named === undefined ? {} : { zone: named }),
        ...(rest ? { leftOver: rest } : {}),
        plan: (planning) =>
          ended(plan(body, planning.forCommand({ ...span, declaration, text: normalized }, options, readers))),
      };
    },
  };
  return declaration;
}

/** `rest` is the error of words after the end of the command. */
function* readParts<R extends OptionReaders, B, F>(
  parts: CommandParts<R, B, F>,
  readers: R,
  words: Words,
  reading: Reading,
) {
  const { name, hasAssignments, optionsMayFollow } = parts;
  const before = hasAssignments ? ({} as RawOptions<R>) : yield* takeOptions(words, readers, name);
  const late = { readers, words, objects: words.at, nameSpan: reading.nameSpan };
  const { written, word, body } = yield* readObjects(parts, { readers, before, late, reading });
  const options = optionsMayFollow ? yield* takeOptions(words, readers, name, written) : written;
  return { options, word, body, rest: words.isDone ? undefined : explained(leftOver(words, name), late) };
}

interface LateOptions {
  readonly readers: OptionReaders;
  readonly words: Words;
  readonly nameSpan: Span;
  /** Where the words begin before which options stand. */
  objects: number;
}

interface BegunCommand<R extends OptionReaders> {
  readonly readers: R;
  readonly before: RawOptions<R>;
  readonly late: LateOptions;
  readonly reading: Reading;
}

function* readObjects<R extends OptionReaders, B, F>(
  { name, first, objectOption, read }: CommandParts<R, B, F>,
  { readers, before, late, reading }: BegunCommand<R>,
) {
  const { words } = late;
  try {
    // The value of a command that declares no first word is never read.
    const word = first ? yield* ended(first.read(words)) : (undefined as F);
    const more = first ? yield* takeOptions(words, readers, name, before) : before;
    const written = objectOption === undefined ? more : withObject(words, objectOption, more);
    if (first) late.objects = words.at;
    const body = yield* ended(read(words, { ...reading, options: written, first: word }));
    return { written, word, body };
  } catch (failure) {
    // An option that comes too late is reported as such where it is the cause: it cannot be read, or it is missing.
    throw failure instanceof QueryError ? explained(failure, late) : failure;
  }
}

function explained(error: QueryError, { readers, words, nameSpan, objects }: LateOptions): QueryError {
  const late = lateOption(words, objects, readers);
  const isCause = late?.begin === error.begin || nameSpan.begin === error.begin;
  return late && isCause ? new QueryError(90013, late) : error;
}

/** Words of the language that are no names, to be known again in another case. */
const KEYWORDS = ['and', 'or', 'not', 'as', 'by', 'rows', 'cols', 'for', 'output', 'from'];

/** The error of words after the end of the command. */
function leftOver(words: Words, command: string): QueryError {
  const token = words.token();
  // A colon with white space beside it is no part of a name (2.5).
  if (words.here === ':') return words.unexpected();
  const keyword = token.text.toLowerCase();
  const suggestions = keyword !== token.text && KEYWORDS.includes(keyword) ? [keyword] : [];
  return new QueryError(90012, token, {}, { hints: leftOverHints(words, token.text, command), suggestions });
}

function leftOverHints(words: Words, token: string, command: string): Hint[] {
  if (token.startsWith('#')) return [{ code: 91005 }];
  const before = words.nameBefore;
  if (!before) return [];
  if (/^(?:asc|desc)$/i.test(token)) return [{ code: 91015, values: { field: before.text } }];
  if (command === 'order' && before.text === 'by') return [{ code: 91015, values: { field: token } }];
  return isName(token) ? [{ code: 91017, values: { first: before.text, second: token } }] : [];
}

/** The name at the cursor as the value of an option; where the option is written too, the name is left over (90012). */
function withObject<R extends OptionReaders>(
  words: Words,
  key: string & keyof R,
  options: RawOptions<R>,
): RawOptions<R> {
  if (words.isDone || options[key]) return options;
  const { text, begin, end } = words.takeName([], () => words.tooFew({ term: 'field' }));
  return { ...options, [key]: { value: text, at: { name: key, text, isQuoted: false, isObject: true, begin, end } } };
}

export const noObjects = { read: () => null, text: () => '' } as const;
