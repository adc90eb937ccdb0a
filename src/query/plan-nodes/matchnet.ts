// Rows whose address belongs to an address group, or a column that says whether it does.

import { functionNamed } from '#query/functions/index.ts';
import type { Column } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import { groupTest } from '#query/sql/forms/addresses.ts';
import { call, literal } from '#query/values/typing.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import type { RowScope } from './shared/row-scope.ts';

interface MatchNet extends Step {
  readonly kind: 'matchnet';
  readonly source: Expression;
  readonly guid: string;
  readonly invert: boolean;
  /** Present with `tag=t`: no row is dropped. */
  readonly tag?: Column;
}

export const matchnet: PlanNodeDeclaration<MatchNet> = {
  kind: 'matchnet',
  takes: 'each',
  expressions: ({ source }) => [source],
  makes: nothing,
  reads({ source, tag }, reading) {
    if (!tag || reading.isRead(tag.id)) reading.expression(source);
  },
  pushdown: 'lost',
  counts: ({ tag }) => (tag ? 'as-input' : 'counted'),
  condition({ source, guid, invert, tag }) {
    const isMember = functionNamed('matchnet');
    return tag || invert || !isMember ? undefined : call(isMember, [literal(guid, source), source], source);
  },

  sql({ input, source, guid, invert, tag, rows }, compiler) {
    const below = compiler.planNode(input);
    if (tag && !compiler.isRead(tag.id)) return below;
    const from = `(${below})`;
    const group = compiler.context.run.groups.get(guid);
    if (!group) throw new Error(`the address group ${guid} is not among the facts of the run`);
    const isMember = groupTest(compiler.expression(source), group, compiler.writer());
    const test = invert ? `not ${isMember.text}` : isMember.text;
    if (!tag) return compiler.select(rows, { from, tail: `where ${invert ? test : (isMember.bare ?? test)}` });
    return compiler.select(rows, { from, computed: new Map([[tag.id, `(${test})`]]) });
  },

  local: {
    row(node, scope) {
      const { tag } = node;
      const isWanted = membership(node, scope);
      if (!tag) return isWanted;
      return (row) => {
        row[tag.id] = isWanted(row);
        return true;
      };
    },
    test: (node, scope) => (node.tag ? undefined : membership(node, scope)),
  },
};

/** The group is looked up for each row: the groups of stream rules change while these run. */
function membership<In>({ source, guid, invert }: MatchNet, scope: RowScope<In>): (given: In) => boolean {
  const text = scope.text(source);
  const { run } = scope;
  return (given) => (run.groups.get(guid)?.has(text(given) ?? '') ?? false) !== invert;
}
