// Making a plan, command by command: the state that goes along and what commands need to make their nodes.

import { optionSpan } from '#query/language/option-readers.ts';
import type { GivenOptions, OptionReaders, OptionValues } from '#query/language/options.ts';
import type { Name } from '#query/language/words.ts';
import type { Column, Rows } from '#query/model/columns.ts';
import { fieldIn } from '#query/model/columns.ts';
import type { ColumnId, Expression, FieldRead, ParameterRead, Span } from '#query/model/expression.ts';
import type { AggregateDeclaration } from '#query/model/function.ts';
import { MAX_WARNINGS, type QueryErrorList, type QueryWarning } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { MemoryBuild } from '#query/nodes/memlookup.ts';
import type { Pivot } from '#query/nodes/pivot.ts';
import type { ConstantStep, Plan, PlanNode } from '#query/nodes/plan.ts';
import type { CellColumn } from '#query/nodes/shared/chart-cells.ts';
import type { Timechart } from '#query/nodes/timechart.ts';
import type { CommandDeclaration, ParsedQuery } from './command.ts';
import type { ConstantWork } from './constant-work.ts';
import type { Constants } from './constants.ts';
import { knownArguments } from './folding.ts';
import type { QueryContext } from './query-context.ts';
import { resolved, type Scope } from './resolve.ts';

/** What all pipelines of a text share. */
export interface PlanContext {
  readonly queryContext: QueryContext;
  readonly zone: string;
  readonly warnings: QueryWarning[];
  readonly mistakes: QueryErrorList;
  readonly shared: SharedCounts;
  /** Not allowed here (92002). */
  readonly refusedFunctions: ReadonlySet<string>;
  readonly isMomentary: boolean;
  /** How many procedures are around. */
  readonly depth: number;
  readonly planSubquery: (query: ParsedQuery, constants: Constants, place: 'subquery' | 'setq') => Plan;
  /** Puts further commands onto a pipeline that has rows. */
  readonly planSteps: (query: ParsedQuery, planning: Planning) => readonly PlanNode[];
  /** The nodes of a stored pipeline without a driver, over rows of the field `line`. */
  readonly planParser: (text: string, span: Span) => PlanNode;
  readonly planProcedure: (text: string, queryContext: QueryContext, span: Span) => Plan;
}

/** What goes on over procedures too. */
export interface SharedCounts {
  readonly work: ConstantWork;
  columns: number;
  setqs: number;
  charts: number;
  /** Looked for so far (90902). */
  unknownNames: number;
  /** Of the procedures that are called. */
  commands: number;
  pending: Pending | undefined;
}

/** What must run before the rest of a plan is known. */
export type Pending =
  /** Its first row gives parameters. */
  | { readonly kind: 'setq'; readonly query: Plan }
  /** A timechart with `by`, or a pivot: the values of its input make its columns. */
  | { readonly kind: 'chart'; readonly node: Timechart | Pivot };

interface Unknown {
  readonly rows: Rows;
  readonly always?: boolean;
}

interface About extends Span {
  readonly declaration: CommandDeclaration;
  readonly text: string;
}

/** One pipeline while it is being planned. */
export class Planning {
  #context: PlanContext;
  readonly constants: Constants;
  readonly steps: ConstantStep[] = [];
  /** Lookups that commands before have built, by name. */
  readonly built = new Map<string, MemoryBuild>();
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

  /** The commands that follow resolve their names in another context: they come from a text of another account. */
  continueIn(context: PlanContext): void {
    this.#context = context;
  }

  forCommand<R extends OptionReaders>(
    about: About,
    given: GivenOptions<R>,
    readers: R,
  ): CommandPlanning<OptionValues<R>> {
    const values = this.#valuesOf(given, readers);
    return new CommandPlanning(this, { ...about, given }, values) as CommandPlanning<OptionValues<R>>;
  }

  /** Its value with the default counted in; undefined while it has none. */
  parameter(read: ParameterRead): Value | undefined {
    const fallback =
      read.fallback &&
      resolved(
        read.fallback,
        this.scope(() => undefined),
      );
    const value = this.constants.valueOf(read);
    if (value !== null || !fallback) return value;
    return fallback.kind === 'literal' ? fallback.value : undefined;
  }

  /** Where no field can be read. */
  scope(unknown: Scope['unknown']): Scope {
    const { queryContext, refusedFunctions, isMomentary, shared } = this.context;
    return { constants: this.constants, queryContext, work: shared.work, refusedFunctions, isMomentary, unknown };
  }

  #valuesOf<R extends OptionReaders>(given: GivenOptions<R>, readers: R): OptionValues<R> {
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

interface GivenAbout extends About {
  readonly given: GivenOptions<OptionReaders>;
}

/** One command while it is being planned. */
export class CommandPlanning<V> {
  readonly options: V;
  readonly pipeline: Planning;
  readonly #about: GivenAbout;

  constructor(pipeline: Planning, about: GivenAbout, options: V) {
    this.pipeline = pipeline;
    this.#about = about;
    this.options = options;
  }

  get context(): PlanContext {
    return this.pipeline.context;
  }

  get queryContext(): QueryContext {
    return this.context.queryContext;
  }

  get constants(): Constants {
    return this.pipeline.constants;
  }

  /** For nodes that name what belongs to an account, or act with its rights: whose that is, where not the caller's. */
  get account(): { readonly account?: string } {
    const { account } = this.queryContext;
    return account === undefined ? {} : { account };
  }

  get input(): PlanNode {
    const { input } = this.pipeline;
    if (!input) throw new Error(`${this.#about.declaration.name} has no input`);
    return input;
  }

  get rows(): Rows {
    return this.input.rows;
  }

  get span(): Span {
    return { begin: this.#about.begin, end: this.#about.end };
  }

  /** Whether an option waits for a parameter that has no value yet; what stands in for it is never run. */
  isPending(key: string & keyof V): boolean {
    const option = this.#about.given[key];
    return option !== undefined && 'parameter' in option && this.parameter(option.parameter) === undefined;
  }

  /** Where an option is written that counts: one whose parameter is null does not. */
  optionAt(key: string & keyof V): Span | undefined {
    const option = this.#about.given[key];
    if (!option || ('parameter' in option && (this.parameter(option.parameter) ?? null) === null)) return undefined;
    return optionSpan(option.at);
  }

  /** What every node has. */
  node(rows: Rows) {
    const { declaration, text, begin, end } = this.#about;
    return { command: declaration.name, text, begin, end, rows };
  }

  step(rows: Rows) {
    return { ...this.node(rows), input: this.input };
  }

  newColumn(name: string, type: ColumnType): Column {
    return { id: this.hiddenColumn(), name, type };
  }

  hiddenColumn(): ColumnId {
    const { shared } = this.context;
    shared.columns += 1;
    return shared.columns;
  }

  /** The first row of a setq of the text, subqueries and procedures included, in the order in which they are planned. */
  setqResult(query: Plan): ReadonlyMap<string, Value> | undefined {
    const { shared } = this.context;
    const result = this.queryContext.setqResults?.[shared.setqs];
    shared.setqs += 1;
    if (!result) shared.pending ??= { kind: 'setq', query };
    return result;
  }

  /** The columns that a timechart or pivot makes from values, once they are known; counted like the setq commands. */
  chartColumns(): readonly CellColumn[] | undefined {
    const { shared } = this.context;
    const known = this.queryContext.chartColumns?.[shared.charts];
    shared.charts += 1;
    return known?.map(({ name, type, cell }) => ({ ...this.newColumn(name, type), cell }));
  }

  /** A chart whose columns are not known yet. */
  chart<T extends Timechart | Pivot>(node: T): T {
    if (node.rows.dynamic) this.context.shared.pending ??= { kind: 'chart', node };
    return node;
  }

  expression(expression: Expression, rows: Rows = this.rows): Expression {
    return resolved(expression, { ...this.#scope(), rows });
  }

  /** Of an aggregate. */
  arguments(called: AggregateDeclaration, args: readonly Expression[]): readonly Expression[] {
    return knownArguments(
      called,
      args.map((arg) => this.expression(arg)),
      this.#scope(),
    );
  }

  field(name: Name, rows: Rows = this.rows): FieldRead {
    return this.expression(
      { kind: 'field', type: 'any', name: name.text, begin: name.begin, end: name.end },
      rows,
    ) as FieldRead;
  }

  /** Of a name that is no text of its own, such as a default: no warning. */
  quietField(name: string, rows: Rows = this.rows): FieldRead {
    return fieldIn(rows, name, this.span);
  }

  parameter(read: ParameterRead): Value | undefined {
    return this.pipeline.parameter(read);
  }

  constant(expression: Expression): Expression {
    return resolved(expression, this.#scope());
  }

  #scope(): Scope {
    return this.pipeline.scope((field, rows) => this.warnUnknown(field, { rows }));
  }

  /** 90902 for a name that no row has: where it resembles a known one, or `always`. */
  warnUnknown({ name, begin, end }: Span & { readonly name: string }, { rows, always = false }: Unknown): void {
    const { shared } = this.context;
    shared.unknownNames += 1;
    // Looking for resembling names is dear, and hostile text could ask for it a hundred thousand times.
    if (shared.unknownNames > MAX_WARNINGS) return;
    const known = rows.columns.map((column) => column.name);
    const suggestions = suggestionsFor(name, known);
    if (suggestions.length > 0 || always) this.warn({ code: 90902, begin, end, values: { name }, suggestions });
  }

  warn(warning: QueryWarning): void {
    if (this.context.warnings.length < MAX_WARNINGS) this.context.warnings.push(warning);
  }

  /** 90901 where this command depends on an order that its input does not have. */
  warnUnordered(span: Span = this.span, rows: Rows = this.rows): void {
    if (rows.order) return;
    const values = { command: this.#about.declaration.name };
    this.warn({ code: 90901, begin: span.begin, end: span.end, values, suggestions: [] });
  }
}
