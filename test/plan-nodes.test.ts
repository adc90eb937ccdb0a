// A plan node is one declaration: facts of a kind of node stand in its file in src/query/plan-nodes, and nowhere else is there a
// list of kinds, a switch over them or a comparison with one of them.

import { describe, expect, it } from 'vitest';
import { planNodes } from '#query/plan-nodes/index.ts';
import { isTest, type Source, sourcesIn } from '#test/support/sources.ts';

const KINDS = Object.keys(planNodes);

/** Files that handle plan nodes: all others have kinds of their own, which may be called the same. */
const handlesPlanNodes = ({ path, text }: Source): boolean =>
  !path.startsWith('src/query/plan-nodes/') &&
  (path.startsWith('src/query/') || /from '#query\/(?:plan-nodes|analysis|statements|local)\//.test(text));

const outside = sourcesIn('src/**/*.ts').filter((source) => !isTest(source) && handlesPlanNodes(source));

describe('Plan nodes', () => {
  it('are listed under their own kinds, in the order of the alphabet', () => {
    expect(Object.values(planNodes).map(({ kind }) => kind)).toEqual(KINDS);
    expect(KINDS).toEqual(KINDS.toSorted());
  });

  it('have a file of their own each', () => {
    const files = new Set(sourcesIn('src/query/plan-nodes/*.ts').map(({ path }) => path));
    expect(KINDS.filter((kind) => !files.has(`src/query/plan-nodes/${kind}.ts`))).toEqual([]);
  });

  it('are asked for their facts outside of src/query/plan-nodes, never for their kinds', () => {
    expect(outside.flatMap(kindsIn)).toEqual([]);
  });

  const forms: readonly [form: string, text: string][] = [
    ['comparison', `if (node.kind === 'sort') return;`],
    ['comparison the other way round', `if ('sort' !== kind) return;`],
    ['switch', `  switch (node.kind) {\n    case 'filter-like':\n    case 'sort':`],
    ['list', `const SORTS = ['sort', 'limit'];`],
    ['list of several lines', `const SORTS = [\n  'stats',\n  'sort',\n  'limit',\n];`],
    ['table', `const SQL = { sort: sortSql, limit: limitSql };`],
    ['type of kinds', `const kinds: readonly PlanNode['kind'][] = names;`],
    ['type of one kind', `type Sorted = Extract<PlanNode, { kind: 'sort' }>;`],
  ];
  for (const [form, text] of forms) {
    it(`are found by their kinds in a ${form}`, () => {
      expect(kindsIn({ path: 'src/query/found.ts', text })).toHaveLength(1);
    });
  }

  it('are made by commands, with their kinds', () => {
    const text = `return { ...planning.step(rows), kind: 'sort', by, keys };`;
    expect(kindsIn({ path: 'src/query/commands/sort.ts', text })).toEqual([]);
  });
});

const KIND = `'(?:${KINDS.join('|')})'`;
const KEY = `(?:${KINDS.map((kind) => (kind.includes('-') ? `'${kind}'` : kind)).join('|')})`;

const FORMS: readonly RegExp[] = [
  new RegExp(`\\bkind\\b[)\\s]*[!=]==\\s*${KIND}`, 'g'),
  new RegExp(`${KIND}\\s*[!=]==\\s*[\\w.?]*\\bkind\\b`, 'g'),
  new RegExp(`^( *)switch \\(.*\\bkind\\) \\{\\n(?:\\1 .*\\n)*?\\1 +case ${KIND}:`, 'gm'),
  new RegExp(`\\[\\s*${KIND}(?:,\\s*${KIND})+,?\\s*\\]`, 'g'),
  new RegExp(`\\{\\s*${KEY}: \\w+,\\s*${KEY}: \\w+`, 'g'),
  /\bPlanNode\['kind'\]/g,
  new RegExp(`Extract<[^>]*\\bkind: ${KIND}`, 'g'),
];

/** Where a form stands, with the line. */
function kindsIn({ path, text }: Source): string[] {
  return FORMS.flatMap((form) =>
    [...text.matchAll(form)].map(({ 0: found, index }) => {
      const line = text.slice(0, index + found.length).split('\n').length;
      return `${path}:${line} ${found.trim().split('\n').at(-1)}`;
    }),
  );
}
