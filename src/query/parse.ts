// From text to commands. Errors are gathered instead of thrown at once, because a command before one of them may still
// turn out to be wrong when it is planned, and because the commands after it are read too.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { commandNamed, knownCommands } from './commands/index.ts';
import { INSTEAD_OF_HYPHENATED, insteadOf } from './commands/not-offered.ts';
import { ownCommandNamed } from './commands/own-command.ts';
import { type CommandText, split } from './language/command-texts.ts';
import { Words } from './language/words.ts';
import type { Span } from './model/expression.ts';
import { QueryError, type QueryErrorList, type QueryWarning } from './model/query-error.ts';
import { suggestionsFor } from './model/suggestions.ts';
import type { CommandDeclaration, LostCommand, ParsedCommand, ParsedQuery } from './planning/command.ts';
import type { KnownProcedure } from './planning/query-context.ts';

export interface ParsedText {
  readonly query: ParsedQuery;
  /** The text with plain marks (2.2). */
  readonly plain: string;
  readonly warnings: readonly QueryWarning[];
}

/** A query of its own, commands inside of one, or a pipeline without a driver that only these commands may make up (13). */
type PipelineKind = 'query' | 'steps' | { readonly only: readonly string[] };

/**
 * Of one text with its subqueries and the procedures that it calls: a plan is as deep as its pipeline is long, and walks
 * over plans recurse.
 */
export const MAX_COMMANDS = 256;

/** Procedures that an account may run, by name: those that are commands are words of its texts (8.5). */
export type Procedures = ReadonlyMap<string, KnownProcedure>;

interface ParseOptions {
  readonly kind?: PipelineKind;
  /** Commands of another text that this one continues. */
  readonly commandsBefore?: number;
  readonly procedures?: Procedures;
}

/** Errors go to the list, to which planning may add more. */
export function* parseText(text: string, errors: QueryErrorList, options: ParseOptions = {}): SlicedWork<ParsedText> {
  const { kind = 'query', commandsBefore = 0, procedures = new Map() } = options;
  const { plain, commandTexts, warnings, error } = yield* split(text);
  const parser = new TextParser(plain, errors, { commandsBefore, procedures });
  const query = yield* parser.pipeline(commandTexts, { begin: 0, end: text.length }, kind);
  // It explains any other error at its place.
  if (error) errors.found.unshift(error);
  return { query, plain, warnings: [...warnings, ...parser.warnings] };
}

class TextParser {
  readonly #errors: QueryErrorList;
  readonly #plain: string;
  /** About words of commands. */
  readonly warnings: QueryWarning[] = [];
  readonly #procedures: Procedures;
  #commands: number;

  constructor(
    plain: string,
    errors: QueryErrorList,
    { commandsBefore, procedures }: { readonly commandsBefore: number; readonly procedures: Procedures },
  ) {
    this.#plain = plain;
    this.#errors = errors;
    this.#commands = commandsBefore;
    this.#procedures = procedures;
  }

  *pipeline(commandTexts: readonly CommandText[], span: Span, kind: PipelineKind): SlicedWork<ParsedQuery> {
    const commands: ParsedCommand[] = [];
    const lost: LostCommand[] = [];
    const query = { commands, lost, begin: span.begin, end: span.end };
    // Text that is too long was not even split.
    if (commandTexts.length === 0) return query;
    const written = withoutFirstPipe(commandTexts).filter(({ isComment }) => !isComment);
    const isWhole = commandTexts.every(({ isCut }) => !isCut);
    const isEmpty = written.every(({ begin, end }) => begin === end) && commandTexts.length === written.length;
    if (written.length === 0 || (isEmpty && commandTexts.length === 1)) {
      if (isWhole) this.#errors.take(new QueryError(90002, span));
      return query;
    }
    for (const commandText of written) {
      if (this.#errors.isFull) return query;
      yield* this.#readText(commandText, { commandTexts, commands, lost, kind });
      yield;
    }
    if (kind === 'query' && isWhole && lost.length === 0) this.#requireRows(commands);
    return query;
  }

  *#readText(commandText: CommandText, pipeline: PipelineState): SlicedWork<void> {
    const { begin, end } = commandText;
    try {
      if (begin === end) {
        if (commandText.isCut) return;
        throw this.#emptyText(commandText, pipeline.commandTexts);
      }
      yield* this.#command(commandText, pipeline);
    } catch (failure) {
      // The cut explains all other errors of a command that is cut off.
      const isOwn = failure instanceof QueryError && (failure.code === 92000 || failure.code === 92003);
      if (commandText.isCut && failure instanceof QueryError && !isOwn) return;
      this.#errors.take(failure);
      const declaration = this.#declared(new Words(this.#plain, commandText).match(COMMAND_WORD) ?? '');
      if (pipeline.commands.at(-1)?.begin !== begin)
        pipeline.lost.push({ begin, end, ...(declaration && { declaration }) });
    }
  }

  *#command(commandText: CommandText, { commandTexts, commands, lost, kind }: PipelineState): SlicedWork<void> {
    const words = new Words(this.#plain, commandText, this.warnings);
    const name = words.match(COMMAND_WORD) || words.looseToken().text;
    const nameSpan = { begin: words.at, end: words.at + name.length };
    const declaration = this.#declared(name);
    if (!declaration) throw unknownCommand(name, nameSpan, this.#procedures);
    this.#count(nameSpan);
    if (kind === 'query' && !mayStand(declaration, [...commands, ...lost]))
      throw this.#misplaced(nameSpan, commandText, commandTexts);
    const isRefused = kind === 'steps' ? declaration.class === 'driver' : kind !== 'query' && !kind.only.includes(name);
    if (isRefused) throw new QueryError(92002, nameSpan, { name });
    words.moveTo(nameSpan.end);
    const command = yield* declaration.parse(words, {
      nameSpan,
      subquery: (bracket) => this.pipeline(bracket.commandTexts, bracket, 'query'),
      steps: (bracket) => this.pipeline(bracket.commandTexts, bracket, 'steps'),
    });
    if (kind === 'steps' && command.isDriver) throw new QueryError(92002, nameSpan, { name });
    commands.push(command);
    if (command.leftOver) throw command.leftOver;
  }

  /** A command of this language wins over one of somebody's own. */
  #declared(name: string): CommandDeclaration | undefined {
    return commandNamed(name) ?? ownCommandNamed(name, this.#procedures);
  }

  #requireRows(commands: readonly ParsedCommand[]): void {
    const [first] = commands;
    if (first && commands.every(({ declaration }) => declaration.mayPrecedeDriver)) {
      this.#errors.take(new QueryError(92001, first.nameSpan));
    }
  }

  /** A comment that goes on over the end of its line may have taken the driver with it. */
  #misplaced(span: Span, commandText: CommandText, commandTexts: readonly CommandText[]): QueryError {
    const hides = (one: CommandText) => one.isComment && this.#plain.slice(one.begin, one.end).includes('\n');
    const isHidden = commandTexts.slice(0, commandTexts.indexOf(commandText)).some(hides);
    return new QueryError(92001, span, {}, isHidden ? { hints: [{ code: 91004 }] } : {});
  }

  #count(span: Span): void {
    this.#commands += 1;
    if (this.#commands > MAX_COMMANDS)
      throw new QueryError(90009, span, { what: { term: 'commands' }, n: this.#commands, max: MAX_COMMANDS });
  }

  #emptyText(commandText: CommandText, commandTexts: readonly CommandText[]): QueryError {
    const next = commandTexts[commandTexts.indexOf(commandText) + 1];
    const opening = { begin: Math.max(0, commandText.opened), end: commandText.opened + 1 };
    if (!next) return new QueryError(90003, opening);
    const closing = { begin: commandText.end, end: commandText.end + 1 };
    const isSql = this.#isSql(commandTexts[commandTexts.indexOf(commandText) - 1]);
    const isDoubled = commandText !== commandTexts[0] && opening.end === commandText.end && !isSql;
    const isOr = isDoubled && !this.#beginsWithCommand(next);
    if (!isOr) return new QueryError(90003, closing, {}, isDoubled ? { hints: [{ code: 91023 }] } : {});
    const span = { begin: opening.begin, end: closing.end };
    return new QueryError(90203, span, { token: '||', instead: 'or, concat()' }, { hints: [{ code: 91023 }] });
  }

  /** Whether the objects of the command are SQL, which may join texts by two pipes. */
  #isSql(commandText: CommandText | undefined): boolean {
    return (
      commandText !== undefined && /^db(?:query|lookup|output)$/.test(new Words(this.#plain, commandText).ident() ?? '')
    );
  }

  #beginsWithCommand(commandText: CommandText): boolean {
    const name = new Words(this.#plain, commandText).match(COMMAND_WORD) || undefined;
    return (
      commandText.isComment || name === undefined || commandNamed(name) !== undefined || insteadOf(name) !== undefined
    );
  }
}

/** A pipe at the beginning makes no command. */
function withoutFirstPipe(commandTexts: readonly CommandText[]): readonly CommandText[] {
  const [first] = commandTexts;
  return first && first.begin === first.end && commandTexts.length > 1 ? commandTexts.slice(1) : commandTexts;
}

interface PipelineState {
  readonly commandTexts: readonly CommandText[];
  readonly commands: ParsedCommand[];
  readonly lost: LostCommand[];
  readonly kind: PipelineKind;
}

/** So that an unknown command is named as a whole. */
const COMMAND_WORD = /[\p{L}\p{Nd}\p{M}_-]+/uy;

/** The word at the beginning of a command. */
export function commandWord(plain: string, begin: number): string {
  const pattern = new RegExp(COMMAND_WORD);
  pattern.lastIndex = begin;
  return pattern.exec(plain)?.[0] ?? '';
}

function unknownCommand(name: string, span: Span, procedures: Procedures): QueryError {
  const suggestions = suggestionsFor(name, [...knownCommands(), ...similarOwnCommands(name, procedures)]);
  const hints = procedures.get(name.normalize())?.mayRun ? [{ code: 91058 as const }] : [];
  const isForeign = name.includes('-') && suggestions.length === 0;
  const term = insteadOf(name) ?? (isForeign ? INSTEAD_OF_HYPHENATED : undefined);
  if (term) return new QueryError(92003, span, { name, instead: { term } }, { hints });
  return new QueryError(92000, span, { name }, { hints, suggestions });
}

const similarOwnCommands = (name: string, procedures: Procedures): string[] =>
  suggestionsFor(name, procedures.keys()).filter((one) => procedures.get(one)?.isCommand);

/** The first command that makes rows is a driver or union (92001). */
function mayStand(declaration: CommandDeclaration, before: readonly LostCommand[]): boolean {
  // A command that cannot be read may have been any command.
  if (declaration.mayPrecedeDriver || before.some((command) => !command.declaration)) return true;
  const isFirst = before.every((command) => command.declaration?.mayPrecedeDriver);
  return !isFirst || declaration.class === 'driver' || declaration.mayBegin;
}
