import { unordered } from '#query/model/columns.ts';
import { command, subqueryText } from '#query/planning/command.ts';
import { requireNode } from './shared/table-specs.ts';

export const remote = command({
  name: 'remote',
  class: 'driver',
  syntax: 'remote NODE [ QUERY ]',
  summary: 'Runs a query on a node of the service, with the rights that the caller has there.',
  rules: [
    'A star stands for all nodes; then the order of rows is lost.',
    'There is one node, the one that `system nodes` lists; any other is 10500.',
  ],
  errors: [10500, 10501, 90011],
  examples: [{ query: 'remote n9 [ table web ]', refused: { code: 10500, begin: 7, end: 9 } }],
  read(words, { subquery }) {
    const node = words.takeWord();
    if (!node) throw words.tooFew({ term: 'node' });
    return { node: { ...node, text: node.text.normalize() }, query: subquery(words.takeBracket()) };
  },
  text: ({ node, query }) => `${node.text} ${subqueryText(query)}`,
  subqueries: ({ query }) => [query],
  plan({ node, query }, planning) {
    requireNode(node, planning);
    const right = planning.context.planSubquery(query, planning.constants.copy(), 'subquery');
    const { parameters: _, ...rows } = right.result.rows;
    const own = node.text === '*' ? unordered(rows) : rows;
    // Tables of another node may have other fields.
    return { ...planning.node({ ...own, known: 'any' }), kind: 'remote', node: node.text, right };
  },
});
