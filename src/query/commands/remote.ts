import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Name } from '#query/language/words.ts';
import { type Rows, unordered } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';

import { command, normalizedText, type ParsedQuery, subqueryText } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { unknownNode } from './shared/table-specs.ts';

export const remote = command({
  name: 'remote',
  class: 'driver',
  syntax: 'remote NODE [ QUERY ]',
  summary: {
    en: 'Runs a query on a node of the service, with the rights of the caller.',
    ko: '서비스의 노드에서 호출자의 권한으로 쿼리를 실행합니다.',
  },
  rules: [
    'NODE is one of `system nodes`, and a star stands for all that live; with a star the order of rows is lost. Parameters, time range, time zone and `now()` are those of the query around it.',
    'The query is one of that node: it is listed there, counts towards the limits of the account there, and ends with the query around it. A node that cannot be reached is 10501, one that is lost before its last row 93004; other nodes are then cancelled, too.',
    'Columns are known before it runs, unless they depend on values (`setq`, `timechart` with `by`, `pivot`, several phases): then rows have their fields in the order of the names. `_node` is a field behind it where the query names it.',
    'Its text and parameters take at most 1 MiB, a row of it 4 MiB; more is 90009. Rows that are stored encrypted stay on their node.',
    'A query is passed on once: inside of it a star stands for the node that runs it, and another node is 10501.',
  ],
  errors: [10500, 10501, 90011],
  examples: [{ query: 'remote n9 [ table web ]', refused: { code: 10500, begin: 7, end: 9 } }],
  *read(words, { subquery }) {
    const node = words.takeWord();
    if (!node) throw words.tooFew({ term: 'node' });
    return { node: { ...node, text: node.text.normalize() }, query: yield* subquery(words.takeBracket()) };
  },
  text: ({ node, query }) => `${node.text} ${subqueryText(query)}`,
  subqueries: ({ query }) => [query],
  plan(body, planning) {
    return isElsewhere(body.node, planning) ? plannedElsewhere(body, planning) : plannedHere(body, planning);
  },
});

interface Remote {
  readonly node: Name;
  readonly query: ParsedQuery;
}

/** Whether another node takes part. */
function isElsewhere(node: Name, { queryContext }: CommandPlanning<unknown>): boolean {
  const { node: own, askingNode, otherNodes, isPassedOn } = queryContext;
  if (node.text === own) return false;
  if (node.text === '*') return !isPassedOn && [...(otherNodes?.keys() ?? [])].length > 0;
  if (node.text !== askingNode && !otherNodes?.get(node.text)) throw unknownNode(node, queryContext);
  if (isPassedOn) throw new QueryError(10501, node, { name: node.text });
  return true;
}

function* plannedHere({ node, query }: Remote, planning: CommandPlanning<unknown>): SlicedWork<KnownPlanNode> {
  const right = yield* planning.context.planSubquery(query, planning.constants.copy(), 'subquery');
  const { parameters: _, ...rows } = right.result.rows;
  const given = node.text === '*' ? unordered(rows) : rows;
  // Tables of another node may have other fields.
  return { ...planning.planNode({ ...given, known: 'any' }), kind: 'remote', node: node.text, right };
}

function* plannedElsewhere({ node, query }: Remote, planning: CommandPlanning<unknown>): SlicedWork<KnownPlanNode> {
  const { context, queryContext, constants } = planning;
  const { plan, isComplete } = yield* context.planElsewhere(query, constants.copy(), node.text);
  const sequence = planning.hiddenColumn();
  const { columns, overflow, order } = plan.result.rows;
  const fields: Rows = isComplete
    ? { columns, ...(overflow ? { overflow } : {}) }
    : { columns: [], overflow: { id: planning.hiddenColumn(), without: [] } };
  const isOrdered = order !== undefined && node.text !== '*';
  const rows: Rows = {
    ...fields,
    known: 'any',
    ...(isOrdered ? { order: [{ column: sequence, descending: false }] } : {}),
  };
  return {
    ...planning.planNode(rows),
    ...planning.account,
    callers: (queryContext.callers ?? []).map(({ account }) => account),
    kind: 'remote-rows',
    node: node.text,
    nodeAt: { begin: node.begin, end: node.end },
    query: {
      text: normalizedText(query),
      constants: new Map(constants.values),
      now: queryContext.now,
      zone: context.zone,
      range: queryContext.range ?? {},
    },
    planned: plan,
    sequence,
  };
}
