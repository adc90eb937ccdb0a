// The declaration of a command of the language (7): grammar, normalized text, plan node and documentation. The registry in
// commands/index.ts lists the declarations; no other file knows single commands.

import type { OptionText } from '#query/language/option-readers.ts';
import {
  lateOption,
  type OptionAliases,
  type OptionReaders,
  type OptionValues,
  optionsText,
  type RawOptions,
  takeOptions,
} from '#query/language/options.ts';
import type { Bracket } from '#query/language/segments.ts';
import type { Words } from '#query/language/words.ts';
import type { QueryExample } from '#query/model/example.ts';
import type { Span } from '#query/model/expression.ts';
import type { QueryErrorCode } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { PlanNode, Preamble } from '#query/nodes/plan.ts';
import type { CommandPlanning } from './command-planning.ts';
import type { Planning } from './planning.ts';

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

/** Facts that reading a command needs besides its words. */
interface Reading {
  /** Of the command's name. */
  readonly nameSpan: Span;
  readonly subquery: (bracket: Bracket) => ParsedQuery;
  /** Commands without a driver, over the rows of the enclosing pipeline. */
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
  /** The error of the words after it; errors in names before them are reported first. */
  readonly leftOver?: QueryError;
  readonly plan: (planning: Planning) => PlanNode | Preamble;
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

interface CommandParts<R extends OptionReaders, B> extends Documented {
  readonly options?: R;
  readonly aliases?: OptionAliases;
  /** eval and set: `a=1` is an assignment, never an option. */
  readonly hasAssignments?: true;
  readonly mayPrecedeDriver?: true;
  readonly mayBegin?: true;
  readonly mayBuildLookup?: true;
  /** Reads the words after the options, to the end. */
  readonly read: (words: Words, reading: Reading & { readonly options: RawOptions<R> }) => B;
  /** The text after the options, normalized. */
  readonly text: (body: B) => string;
  readonly subqueries?: (body: B) => readonly ParsedQuery[];
  readonly zone?: (body: B) => string | undefined;
  readonly plan: (body: B, planning: CommandPlanning<OptionValues<R>>) => PlanNode | Preamble;
}

const NONE = {};

export function command<const R extends OptionReaders, B>(parts: CommandParts<R, B>): CommandDeclaration {
  const {
    options: readers = NONE as R,
    read,
    text,
    plan,
    hasAssignments,
    subqueries,
    zone,
    aliases,
    ...documented
  } = parts;
  const declaration: CommandDeclaration = {
    ...documented,
    mayPrecedeDriver: parts.mayPrecedeDriver ?? false,
    mayBegin: parts.mayBegin ?? false,
    mayBuildLookup: parts.mayBuildLookup ?? false,
    optionWords: Object.fromEntries(Object.entries(readers).map(([key, { words = [] }]) => [key, words])),
    parse(words, reading) {
      const options = hasAssignments
        ? ({} as RawOptions<R>)
        : takeOptions(words, readers, { command: parts.name, aliases });
      const objects = words.at;
      const explained = (error: QueryError) => {
        const late = lateOption(words, objects, readers);
        const isCause = late?.begin === error.begin || reading.nameSpan.begin === error.begin;
        return late && isCause ? new QueryError(90013, late) : error;
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

/** The error of words after the end of the command. */
function leftOver(words: Words): QueryError {
  const token = words.token();
  if (token.text.startsWith('#')) return new QueryError(90012, token, {}, { hints: [{ code: 91005 }] });
  const keyword = token.text.toLowerCase();
  const suggestions = keyword !== token.text && KEYWORDS.includes(keyword) ? [keyword] : [];
  return new QueryError(90012, token, {}, { suggestions });
}

/** An option that comes too late is reported as such where it is the cause: it cannot be read, or it is missing. */
function attempted<T>(read: () => T, explained: (error: QueryError) => QueryError): T {
  try {
    return read();
  } catch (failure) {
    throw failure instanceof QueryError ? explained(failure) : failure;
  }
}

export const noObjects = { read: () => null, text: () => '' } as const;
