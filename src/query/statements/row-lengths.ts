// Whether the rows of a node may be so long that memory cannot hold as many of them as DuckDB computes at once: because the records
// of a table are, or because expressions make long texts of short ones. It errs on the side of long: that costs some time for each row.

import { childrenOf, type Expression } from '#query/model/expression.ts';
import { declarationOf, expressionsOf, inputsOf, scanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { RowLengthFacts } from '#query/plan-nodes/plan-compiler.ts';
import type { CompileContext } from '#query/plan-nodes/shared/compile-context.ts';

/** Records of which so many bytes come on each are long. */
const LONG_BYTES = 1024;
/** Texts that are made of so many others are long. */
const LONG_GROWTH = 64;
/** Characters of a constant that count as much as another text. */
const CONSTANT_CHARACTERS = 1024;
/** Of lpad() and rpad(), whatever length they are told. */
const PADDED = 10_000 / CONSTANT_CHARACTERS;
const PADDING: ReadonlySet<string> = new Set(['lpad', 'rpad']);

const TEXTS: readonly string[] = ['string', 'any', 'list', 'map'];

/** Asked for each node of a plan many times. */
export class RowLengths implements RowLengthFacts {
  readonly #context: Pick<CompileContext, 'rowBytes'>;
  readonly #growths = new Map<PlanNode, number>();

  constructor(context: Pick<CompileContext, 'rowBytes'>) {
    this.#context = context;
  }

  isLong(node: PlanNode): boolean {
    return this.#growthOf(node) >= LONG_GROWTH;
  }

  /** Whether values of these expressions over rows of the node are. */
  areLong(expressions: readonly Expression[], input: PlanNode): boolean {
    return this.#growthOf(input) * grownBy(expressions) >= LONG_GROWTH;
  }

  /** How many texts of records the longest text of a row is made of. */
  #growthOf(node: PlanNode): number {
    const known = this.#growths.get(node);
    if (known !== undefined) return known;
    const growth = this.#ownGrowth(node);
    this.#growths.set(node, growth);
    return growth;
  }

  #ownGrowth(node: PlanNode): number {
    const scan = scanOf(node);
    if (scan)
      return scan.tables.some(({ name }) => (this.#context.rowBytes?.(name) ?? 0) >= LONG_BYTES) ? LONG_GROWTH : 1;
    const { aggregates } = declarationOf(node);
    // A list of a group has as many elements as the group has rows.
    if (aggregates?.(node).some(({ type }) => type === 'list' || type === 'map')) return LONG_GROWTH;
    const below = Math.max(1, ...inputsOf(node).map((input) => this.#growthOf(input)));
    return Math.min(LONG_GROWTH, below * grownBy(expressionsOf(node)));
  }
}

const grownBy = (expressions: readonly Expression[]): number => Math.max(1, ...expressions.map(textsIn));

/** Texts that go into the value of an expression. */
function textsIn(expression: Expression): number {
  if (!TEXTS.includes(expression.type)) return 0;
  if (expression.kind === 'field') return 1;
  if (expression.kind === 'literal') return lengthOf(expression.value) / CONSTANT_CHARACTERS;
  const own = expression.kind === 'call' && PADDING.has(expression.called.name) ? PADDED : 0;
  return childrenOf(expression).reduce((total, inner) => total + textsIn(inner), own);
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
