// A pipeline while it is being planned: the state that goes from command to command.

import { runToEnd } from '#kernel/sliced-work.ts';
import { EXPRESSION_KEYWORDS, operandFieldText } from '#query/language/expressions/expression-text.ts';
import type { OptionReaders, OptionValues, RawOptions } from '#query/language/options.ts';
import { pivotColumnFor, type Rows } from '#query/model/columns.ts';
import type { ParameterRead, Span } from '#query/model/expression.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { Value } from '#query/model/values.ts';
import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';
import type { ConstantStep, PlanNode } from '#query/plan-nodes/plan.ts';
import { CommandPlanning, type CommandText } from './command-planning.ts';
import type { Constants } from './constants.ts';
import type { PlanContext } from './plan-context.ts';
import { resolved, type Scope } from './resolve.ts';

export class Planning {
  #context: PlanContext;
  readonly constants: Constants;
  /** Constants of the phase. */
  readonly steps: ConstantStep[] = [];
  /** Lookups in memory that commands of this phase have built, by name. */
  readonly built = new Map<string, MemoryBuild>();
  /** Lookups in memory that earlier phases make, by name. */
  readonly made = new Map<string, KnownLookup>();
  /** Stored lookups that earlier phases write, by name; `guid` is empty for one that does not exist yet. */
  readonly madeStored = new Map<string, KnownLookup>();
  /** Stored lookups that sinks of this phase write: commands of the same phase read the former rows. */
  readonly written = new Map<string, KnownLookup>();
  /** Whether a command that is lost may have built others. */
  mayHaveBuilt = false;
  input: PlanNode | undefined;

  constructor(context: PlanContext, constants: Constants, input?: PlanNode) {
    this.#context = context;
    this.constants = constants;
    this.input = input;
  }

  get context(): PlanContext {
    return this.#context;
  }

  /** A new phase has its own rows and keeps the parameters. */
  beginPhase(): void {
    this.input = undefined;
    this.steps.length = 0;
    this.keepLookups();
  }

  /** The commands that follow resolve their names in another context: they come from a text of another account. */
  continueIn(context: PlanContext): void {
    this.#context = context;
  }

  /** From here on the lookups of the commands before exist. */
  keepLookups(): void {
    for (const [name, { key, records }] of this.built)
      this.made.set(name, { name, key, columns: records.rows.columns });
    for (const [name, known] of this.written) this.madeStored.set(name, known);
    this.built.clear();
    this.written.clear();
  }

  forCommand<R extends OptionReaders>(
    command: CommandText,
    given: RawOptions<R>,
    readers: R,
  ): CommandPlanning<OptionValues<R>> {
    const values = this.#valuesOf(given, readers);
    return new CommandPlanning(this, { ...command, given }, values) as CommandPlanning<OptionValues<R>>;
  }

  /** Its value, or its default; undefined while it has none. */
  parameter(read: ParameterRead): Value | undefined {
    this.#warnUnset(read);
    const fallback =
      read.fallback &&
      runToEnd(
        resolved(
          read.fallback,
          this.scope(() => undefined),
        ),
      );
    const value = this.constants.valueOf(read);
    if (value !== null || !fallback) return value;
    return fallback.kind === 'literal' ? fallback.value : undefined;
  }

  /** Where no field can be read. */
  scope(unknown: Scope['unknown']): Scope {
    const { queryContext, refusedFunctions, isMomentary, shared } = this.context;
    const { constants } = this;
    return {
      constants,
      queryContext,
      work: shared.work,
      slices: shared.slices,
      refusedFunctions,
      isMomentary,
      unknown,
      unset: (read) => this.#warnUnset(read),
      read: (field, rows) => this.warnRenamed(field, rows),
      warn: (warning) => this.context.warnings.add(warning),
    };
  }

  /** 90920 for a name of the form VALUE_ALIAS that is read where a pivot names its columns otherwise. */
  warnRenamed(
    { name, begin, end }: Span & { readonly name: string },
    rows: Rows,
    written = (other: string) => operandFieldText(other, EXPRESSION_KEYWORDS),
  ): void {
    const column = pivotColumnFor(rows, name);
    if (!column) return;
    const hint = { code: 91060, values: { name: column.name }, replacement: written(column.name) } as const;
    const values = { alias: column.alias, name };
    this.context.warnings.add({ code: 90920, begin, end, values, hints: [hint], suggestions: [] });
  }

  /** 90400 for a parameter without a value and without a default, once for each name. */
  #warnUnset({ name, fallback, begin, end }: ParameterRead): void {
    const { warnings, unsetNames } = this.context;
    if (fallback || this.constants.isSet(name) || warnings.isFull || unsetNames.has(name)) return;
    unsetNames.add(name);
    const suggestions = this.constants.similarTo(name);
    warnings.add({ code: 90400, begin, end, values: { name }, suggestions });
  }

  #valuesOf<R extends OptionReaders>(given: RawOptions<R>, readers: R): OptionValues<R> {
    const values = Object.entries(readers).map(([key, reader]) => {
      const option = given[key];
      if (!option) return [key, reader.initial];
      if ('value' in option) return [key, option.value];
      const value = this.parameter(option.parameter);
      return [key, value === undefined || value === null ? reader.initial : reader.take(value, option.at)];
    });
    return Object.fromEntries(values);
  }
}
