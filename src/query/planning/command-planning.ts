// A command while it is being planned: the tools that it makes its node with.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { isName } from '#query/language/names.ts';
import { optionSpan } from '#query/language/option-readers.ts';
import type { OptionReaders, RawOptions } from '#query/language/options.ts';
import { quoted } from '#query/language/strings.ts';
import type { Name } from '#query/language/words.ts';
import { type Column, fieldIn, isKnownName, knownNames, type Rows } from '#query/model/columns.ts';
import type { ColumnId, Expression, FieldRead, ParameterRead, Span } from '#query/model/expression.ts';
import type { AggregateDeclaration } from '#query/model/function.ts';
import { MAX_WARNINGS, type QueryWarning } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { CellColumn, ChartColumn, ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';
import type { CommandDeclaration } from './command.ts';
import type { Constants } from './constants.ts';
import { knownArguments } from './folding.ts';
import type { PlanContext } from './plan-context.ts';
import type { Planning } from './planning.ts';
import type { QueryContext } from './query-context.ts';
import { resolved, resolvedField, type Scope } from './resolve.ts';

/** A command of the text. */
export interface CommandText extends Span {
  readonly declaration: CommandDeclaration;
  readonly text: string;
}

interface PlannedText extends CommandText {
  readonly given: RawOptions<OptionReaders>;
}

/** The columns of a chart, and what they were made from. */
interface FoundColumns {
  readonly found: readonly ChartColumn[];
  readonly columns: readonly CellColumn[];
}

export class CommandPlanning<V> {
  readonly options: V;
  readonly pipeline: Planning;
  readonly #command: PlannedText;

  constructor(pipeline: Planning, command: PlannedText, options: V) {
    this.pipeline = pipeline;
    this.#command = command;
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

  /** The account whose objects a node names, or whose rights it has; none for that of the caller. */
  get account(): { readonly account?: string } {
    const { account } = this.queryContext;
    return account === undefined ? {} : { account };
  }

  get input(): PlanNode {
    const { input } = this.pipeline;
    if (!input) throw new Error(`${this.#command.declaration.name} has no input`);
    return input;
  }

  get rows(): Rows {
    return this.input.rows;
  }

  get span(): Span {
    return { begin: this.#command.begin, end: this.#command.end };
  }

  /** Whether an option waits for a parameter that has no value yet; a plan with a value in its place is never run. */
  isPending(key: string & keyof V): boolean {
    const option = this.#command.given[key];
    return option !== undefined && 'parameter' in option && this.parameter(option.parameter) === undefined;
  }

  /** Whether the value of an option comes from a parameter. */
  isGiven(key: string & keyof V): boolean {
    const option = this.#command.given[key];
    return option !== undefined && 'parameter' in option;
  }

  /** The place of an option in the text; undefined for one whose parameter is null, which does not count. */
  optionAt(key: string & keyof V): Span | undefined {
    const option = this.#command.given[key];
    if (!option || ('parameter' in option && (this.parameter(option.parameter) ?? null) === null)) return undefined;
    return optionSpan(option.at);
  }

  /** The fields that every node has. */
  planNode(rows: Rows) {
    const { declaration, text, begin, end } = this.#command;
    return { command: declaration.name, text, begin, end, rows };
  }

  step(rows: Rows) {
    return { ...this.planNode(rows), input: this.input };
  }

  newColumn(name: string, type: ColumnType): Column {
    return { id: this.hiddenColumn(), name, type };
  }

  hiddenColumn(): ColumnId {
    const { shared } = this.context;
    shared.columns += 1;
    return shared.columns;
  }

  /** The first row of a setq, once it has run. */
  setqResult(query: Plan): ReadonlyMap<string, Value> | undefined {
    return this.context.shared.pending.setq(query, this.queryContext);
  }

  /** The columns that a timechart or pivot makes from values, once they are known. */
  chartColumns(): FoundColumns | undefined {
    const found = this.context.shared.pending.columns(this.queryContext);
    return found && { found, columns: found.map(({ name, type, cell }) => ({ ...this.newColumn(name, type), cell })) };
  }

  /** A chart whose columns are not known yet. */
  chart<const T extends ChartPlanNode>(node: T): T {
    if (node.rows.dynamic) this.context.shared.pending.chart(node);
    return node;
  }

  /** `unknown` is called for names that no row has, in place of the warning about them. */
  expression(expression: Expression, rows: Rows = this.rows, unknown?: Scope['unknown']): SlicedWork<Expression> {
    return resolved(expression, { ...this.#scope(), rows, ...(unknown ? { unknown } : {}) });
  }

  /** Of an aggregate. */
  *arguments(called: AggregateDeclaration, args: readonly Expression[]): SlicedWork<readonly Expression[]> {
    const made: Expression[] = [];
    for (const arg of args) made.push(yield* this.expression(arg));
    return knownArguments(called, made, this.#scope());
  }

  field(name: Name, rows: Rows = this.rows): FieldRead {
    const { text, begin, end, isQuoted } = name;
    const field = { kind: 'field', type: 'any', name: text, begin, end, ...(isQuoted ? { isQuoted } : {}) } as const;
    return resolvedField(field, { ...this.#scope(), rows });
  }

  /** Of a name that is no text of its own, such as a default: no warning. */
  quietField(name: string, rows: Rows = this.rows): FieldRead {
    return fieldIn(rows, name, this.span);
  }

  /** The field that an option names, else the default one. Only a name that is written gives a warning. */
  optionField(key: string & keyof V, initial: string): FieldRead {
    const { [key]: named } = this.options as Readonly<Record<string, unknown>>; // Options are named by their keys.
    const option = this.#command.given[key];
    const name = typeof named === 'string' ? named : initial;
    if (!option || !('value' in option)) return this.quietField(name);
    const { begin, end } = option.at;
    if (!isKnownName(this.rows, name)) this.warnUnknown({ name, begin, end }, this.rows);
    this.pipeline.warnRenamed({ name, begin, end }, this.rows, (other) => (isName(other) ? other : quoted(other)));
    return this.quietField(name);
  }

  parameter(read: ParameterRead): Value | undefined {
    return this.pipeline.parameter(read);
  }

  constant(expression: Expression): SlicedWork<Expression> {
    return resolved(expression, this.#scope());
  }

  #scope(): Scope {
    return this.pipeline.scope((field, rows) => this.warnUnknown(field, rows));
  }

  /** 90902 for a name that nothing before can have made. */
  warnUnknown({ name, begin, end }: Span & { readonly name: string }, rows: Rows): void {
    const hints = name === 'else' ? ([{ code: 91035 }] as const) : [];
    const suggestions = this.suggestedNames(name, rows);
    this.warn({ code: 90902, begin, end, values: { name }, hints, suggestions });
  }

  /** Known names that are similar to one that is not. */
  suggestedNames(name: string, rows: Rows): string[] {
    const { shared } = this.context;
    shared.unknownNames += 1;
    // The search for similar names is expensive, and hostile text could ask for it a hundred thousand times.
    return shared.unknownNames > MAX_WARNINGS ? [] : suggestionsFor(name, knownNames(rows));
  }

  warn(warning: QueryWarning): void {
    this.context.warnings.add(warning);
  }

  /** 90901 where this command depends on an order that its input does not have. */
  warnUnordered(span: Span = this.span, rows: Rows = this.rows): void {
    if (rows.order) return;
    const values = { command: this.#command.declaration.name };
    this.warn({ code: 90901, begin: span.begin, end: span.end, values, suggestions: [] });
  }
}
