// What a command of the language declares (7): grammar, normalized text, plan node and documentation. The registry in
// commands/index.ts lists the declarations; nothing else knows single commands.

import type { OptionText } from '#query/language/option-readers.ts';
import {
  type GivenOptions,
  lateOption,
  type OptionReaders,
  type OptionValues,
  optionsText,
  takeOptions,
} from '#query/language/options.ts';
import type { Bracket } from '#query/language/segments.ts';
import type { Words } from '#query/language/words.ts';
import type { QueryExample } from '#query/model/example.ts';
import type { Span } from '#query/model/expression.ts';
import type { QueryErrorCode } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { PlanNode, Preamble } from '#query/nodes/plan.ts';
import type { CommandPlanning, Planning } from './planning.ts';

export type CommandClass = 'driver' | 'processing' | 'transforming' | 'sink';

interface Documented {
  readonly name: string;
  readonly class: CommandClass;
  /** In the notation of the reference. */
  readonly syntax: string;
  readonly summary: string;
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
  /** By their keys, with the values that can be named; none for those where anything of a kind fits. */
  readonly optionWords: Readonly<Record<string, readonly string[]>>;
  parse(words: Words, reading: Reading): ParsedCommand;
}

/** What reading a command needs besides its words. */
export interface Reading {
  /** Of the command's name. */
  readonly nameSpan: Span;
  readonly subquery: (bracket: Bracket) => ParsedQuery;
  /** Commands without a driver, over the rows of the pipeline around. */
  readonly steps: (bracket: Bracket) => ParsedQuery;
}

/** A command of a query, read and not yet planned. */
export interface ParsedCommand extends Span {
  readonly declaration: CommandDeclaration;
  readonly nameSpan: Span;
  /** Normalized. */
  readonly text: string;
  readonly subqueries: readonly ParsedQuery[];
  /** As written. */
  readonly options: readonly OptionText[];
  /** The time zone it names for the whole query. */
  readonly zone?: string;
  /** What is wrong with the words behind it; names before them may be wrong too, and are then named first. */
  readonly leftOver?: QueryError;
  readonly plan: (planning: Planning) => PlanNode | Preamble;
}

/** A command that cannot be read, and why is known. What follows it is read and planned as if it were right. */
export interface LostCommand extends Span {
  /** Absent where not even its name means anything. */
  readonly declaration?: CommandDeclaration;
}

/** A pipeline: the whole text, or what a pair of brackets holds. */
export interface ParsedQuery extends Span {
  readonly commands: readonly ParsedCommand[];
  /** Only in a text with mistakes. */
  readonly lost: readonly LostCommand[];
}

export const normalizedText = ({ commands }: ParsedQuery): string => commands.map(({ text }) => text).join(' | ');

export const subqueryText = (query: ParsedQuery): string => `[ ${normalizedText(query)} ]`;

interface CommandParts<R extends OptionReaders, B> extends Documented {
  readonly options?: R;
  /** eval and set: `a=1` is an assignment, never an option. */
  readonly hasAssignments?: true;
  readonly mayPrecedeDriver?: true;
  readonly mayBegin?: true;
  readonly mayBuildLookup?: true;
  /** Reads what follows the options, to the end. */
  readonly read: (words: Words, reading: Reading & { readonly options: GivenOptions<R> }) => B;
  /** What follows the options, normalized. */
  readonly text: (body: B) => string;
  readonly subqueries?: (body: B) => readonly ParsedQuery[];
  readonly zone?: (body: B) => string | undefined;
  readonly plan: (body: B, planning: CommandPlanning<OptionValues<R>>) => PlanNode | Preamble;
}

const NONE = {};

export function command<const R extends OptionReaders, B>(parts: CommandParts<R, B>): CommandDeclaration {
  const { options: readers = NONE as R, read, text, plan, hasAssignments, subqueries, zone, ...documented } = parts;
  const declaration: CommandDeclaration = {
    ...documented,
    mayPrecedeDriver: parts.mayPrecedeDriver ?? false,
    mayBegin: parts.mayBegin ?? false,
    mayBuildLookup: parts.mayBuildLookup ?? false,
    optionWords: Object.fromEntries(Object.entries(readers).map(([key, { words = [] }]) => [key, words])),
    parse(words, reading) {
      const options = hasAssignments ? ({} as GivenOptions<R>) : takeOptions(words, readers, parts.name);
      const objects = words.at;
      const explained = (mistake: QueryError) => {
        const late = lateOption(words, objects, readers);
        const isCause = late?.begin === mistake.begin || reading.nameSpan.begin === mistake.begin;
        return late && isCause ? new QueryError(90013, late) : mistake;
      };
      const body = attempted(() => read(words, { ...reading, options }), explained);
      const rest = words.isDone ? undefined : explained(leftOver(words));
      const normalized = [parts.name, ...optionsText(options, readers), text(body)]
        .filter((part) => part !== '')
        .join(' ');
      const named = zone?.(body);
      const span = { begin: reading.nameSpan.begin, end: words.end };
      return {
        ...span,
        declaration,
        nameSpan: reading.nameSpan,
        text: normalized,
        subqueries: subqueries?.(body) ?? [],
        options: Object.values(options).flatMap((given) => given?.at ?? []),
        ...(named === undefined ? {} : { zone: named }),
        ...(rest ? { leftOver: rest } : {}),
        plan: (planning) =>
          plan(body, planning.forCommand({ ...span, declaration, text: normalized }, options, readers)),
      };
    },
  };
  return declaration;
}

/** Words of the language that are no names, to be known again in another case. */
const KEYWORDS = ['and', 'or', 'not', 'as', 'by', 'rows', 'cols', 'for', 'output', 'from'];

/** Something follows the command. */
function leftOver(words: Words): QueryError {
  const token = words.token();
  if (token.text.startsWith('#')) return new QueryError(90012, token, {}, { hint: 'comment-alone' });
  const keyword = token.text.toLowerCase();
  const suggestions = keyword !== token.text && KEYWORDS.includes(keyword) ? [keyword] : [];
  return new QueryError(90012, token, {}, { suggestions });
}

/** An option that comes too late is named as such: it is what cannot be read, or what is missing. */
function attempted<T>(read: () => T, explained: (mistake: QueryError) => QueryError): T {
  try {
    return read();
  } catch (failure) {
    throw failure instanceof QueryError ? explained(failure) : failure;
  }
}

export const noObjects = { read: () => null, text: () => '' } as const;
