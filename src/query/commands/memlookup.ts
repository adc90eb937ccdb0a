import { functionNamed } from '#query/functions/index.ts';
import { fieldsText } from '#query/language/expression-text.ts';
import { oneOf, optionSpan, text } from '#query/language/option-readers.ts';
import type { Name } from '#query/language/words.ts';
import { GEOIP, MEMORY_LOOKUPS } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { MemoryBuild } from '#query/nodes/memlookup.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { call } from '#query/values/typing.ts';

const OPERATIONS = ['build', 'drop', 'list'] as const;

interface Values {
  readonly op: (typeof OPERATIONS)[number] | undefined;
  readonly name: string | undefined;
  readonly key: string | undefined;
}

type Planning = CommandPlanning<Values>;

const LISTED: readonly (readonly [string, ColumnType])[] = [
  ['name', 'string'],
  ['key', 'string'],
  ['rows', 'long'],
  ['created', 'date'],
];

export const memlookup = command({
  name: 'memlookup',
  class: 'transforming',
  syntax: 'memlookup op=build name=NAME key=F names · memlookup op=drop name=NAME · memlookup op=list',
  summary: 'Builds a lookup in memory from the rows and passes them on; drops a lookup; or lists the lookups.',
  rules: [
    '`op=build` keeps the first row of each value of the key that is not null, with the key and the named fields. Later commands of the same pipeline see the lookup at once, other queries after the query has ended.',
    '`op=drop` (no row) and `op=list` (name, key, rows, created) begin a query.',
    'A lookup belongs to the account that built it and ends with the service. A lookup has at most 100,000 rows (93011), all lookups of an account together 64 Mi characters (93003), and an account at most 100 lookups (93011).',
    '`op` cannot be a parameter; options of another `op` and `name=geoip` are 23600. A lookup in memory hides a stored one of its name; a failed query keeps the previous one. Unordered rows give the warning 90901. The rows stay readable for their owner after a right on the table ends; rows of encrypted tables are stored encrypted.',
  ],
  errors: [21200, 23600, 92001],
  examples: [
    {
      tables: {
        given: [
          { u: 'a', d: 1 },
          { u: 'a', d: 2 },
        ],
      },
      query: 'table given | memlookup op=build name=m key=u d | lookup m u output d as first',
      gives: [
        { u: 'a', d: 1, first: 1 },
        { u: 'a', d: 2, first: 1 },
      ],
    },
  ],
  options: { op: oneOf(OPERATIONS, 23600), name: text, key: text },
  mayBegin: true,
  mayBuildLookup: true,
  read(words, { options, nameSpan }) {
    const { op, name, key } = options;
    const wrong = (option: string, at = nameSpan) => new QueryError(23600, at, { name: option });
    // The value of `op` determines the syntax that follows, so it cannot come from a parameter.
    if (!op || 'parameter' in op) throw wrong('op', op && optionSpan(op.at));
    if (op.value === 'list' && name) throw wrong('name', optionSpan(name.at));
    if (op.value !== 'build' && key) throw wrong('key', optionSpan(key.at));
    if (op.value !== 'list' && !name) throw wrong('name');
    if (op.value !== 'build') return { op: op.value, names: [], nameSpan };
    if (!key) throw wrong('key');
    return { op: op.value, names: words.takeNames([], () => words.tooFew({ term: 'columns' })), nameSpan };
  },
  text: ({ names }) => fieldsText(names, []),
  drives: ({ op }) => op !== 'build',
  plan({ op, names, nameSpan }, planning) {
    const isFirst = planning.pipeline.input === undefined;
    if (isFirst === (op === 'build')) throw new QueryError(92001, nameSpan);
    if (op === 'list') return listed(planning);
    const lookup = nameOf(planning);
    return op === 'drop' ? dropped(lookup, planning) : built(lookup, names, planning);
  },
});

function nameOf(planning: Planning): string {
  const { name } = planning.options;
  if (planning.isPending('name')) return name ?? '';
  if (name === undefined || name === GEOIP.name) {
    throw new QueryError(23600, planning.optionAt('name') ?? planning.span, { name: 'name' });
  }
  return name;
}

function listed(planning: Planning): PlanNode {
  const columns = LISTED.map(([name, type]) => planning.newColumn(name, type));
  const order = columns.slice(0, 1).map(({ id }) => ({ column: id, descending: false }));
  return { ...planning.node({ columns, order }), ...planning.account, kind: 'system', object: MEMORY_LOOKUPS };
}

function dropped(lookup: string, planning: Planning): PlanNode {
  const { lookups } = planning.queryContext;
  if (!lookups.get(lookup)?.isInMemory && !planning.isPending('name')) {
    const own = [...lookups.values()].flatMap(({ name, isInMemory }) => (isInMemory ? [name] : []));
    const at = planning.optionAt('name') ?? planning.span;
    throw new QueryError(21200, at, { name: lookup }, { suggestions: suggestionsFor(lookup, own) });
  }
  return { ...planning.node({ columns: [] }), ...planning.account, kind: 'memlookup-drop', lookup };
}

function built(lookup: string, names: readonly Name[], planning: Planning): PlanNode {
  const { key } = planning.options;
  if (key === undefined && !planning.isPending('key')) {
    throw new QueryError(23600, planning.optionAt('key') ?? planning.span, { name: 'key' });
  }
  const records = recordsOf(key ?? '', names, planning);
  const node: MemoryBuild = {
    ...planning.step(planning.rows),
    ...planning.account,
    kind: 'memlookup',
    lookup,
    key: key ?? '',
    records,
  };
  planning.pipeline.built.set(lookup, node);
  return node;
}

/** The first row of each key value, with the key and the named fields. */
function recordsOf(key: string, names: readonly Name[], planning: Planning): PlanNode {
  planning.warnUnordered();
  const isThere = functionNamed('isnotnull');
  if (!isThere) throw new Error('the function isnotnull is missing');
  const sought = planning.quietField(key);
  const kept: PlanNode = {
    ...planning.step(planning.rows),
    kind: 'filter',
    condition: call(isThere, [sought], planning.span),
  };
  const firsts: PlanNode = { ...planning.node(planning.rows), input: kept, kind: 'dedup', keys: [sought], count: 1n };
  const fields = [sought, ...names.filter(({ text: name }) => name !== key).map((name) => planning.field(name))];
  const assigned = fields.map((value) => ({ column: planning.newColumn(value.name, value.type), value }));
  const rows = { ...planning.rows, columns: assigned.map(({ column }) => column) };
  const { overflow: _, ...closed } = rows;
  return { ...planning.node(closed), input: firsts, kind: 'project', assigned };
}
