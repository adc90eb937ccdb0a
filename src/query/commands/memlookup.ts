import type { SlicedWork } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, oneOf, optionSpan, orElse, text } from '#query/language/option-readers.ts';
import type { Name } from '#query/language/words.ts';
import { GEOIP, type KnownLookup, MEMORY_LOOKUPS } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';

import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { firstOfEachKey, lookupRows } from './shared/lookup-rows.ts';
import { memoryLookup, storedLookup } from './shared/lookups.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

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
  syntax: 'memlookup [op=list] [name=NAME] · memlookup op=build name=NAME key=F names · memlookup op=drop name=NAME',
  summary: {
    en: 'Lists the lookups in memory or the rows of one; builds one from the rows and passes them on; or drops one.',
    ko: '행으로 메모리 룩업을 만들거나, 읽거나, 지우거나, 나열합니다.',
  },
  rules: [
    '`op=build` keeps the first row of each value of the key that is not null, with the key and the named fields. Later commands of the same pipeline see the lookup at once, other queries after the query has ended.',
    'Alone it is a driver with one row for each lookup in memory of the account: name, key, rows, created; with `name=` the rows of that lookup in the order of its key: the key, then its columns. `op=drop` is a driver without rows that removes the lookup. A name that only a stored lookup has is 21200.',
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
    {
      tables: {
        given: [
          { u: 'b', d: 1 },
          { u: 'a', d: 2 },
        ],
      },
      query: 'table given | memlookup op=build name=m key=u d | drop | memlookup op=list name=m',
      normalized: 'table given | memlookup op=build name=m key=u d | drop | memlookup name=m',
      gives: [
        { u: 'a', d: 2 },
        { u: 'b', d: 1 },
      ],
      pushes: [2, 2, 0, 2],
    },
    {
      tables: { given: [{ u: 'b', d: 1 }] },
      query: 'table given | memlookup op=build name=m key=u d | drop | memlookup | fields name, key, rows',
      gives: [{ name: 'm', key: 'u', rows: 1 }],
    },
  ],
  options: {
    op: about(orElse('list', oneOf(OPERATIONS, 23600)), {
      en: 'What is done with the lookup.',
      ko: '룩업에 할 일입니다.',
    }),
    name: about(text, { en: 'Name of the lookup.', ko: '룩업의 이름입니다.' }),
    key: about(text, OPTION_SUMMARIES.key),
  },
  mayBegin: true,
  mayBuildLookup: true,
  *read(words, { options, nameSpan }) {
    const { op: written, name, key } = options;
    const wrong = (option: string, at = nameSpan) => new QueryError(23600, at, { name: option });
    // The value of `op` determines the syntax that follows, so it cannot come from a parameter.
    if (written && 'parameter' in written) throw wrong('op', optionSpan(written.at));
    const op = written?.value ?? 'list';
    if (op !== 'build' && key) throw wrong('key', optionSpan(key.at));
    if (op !== 'list' && !name) throw wrong('name');
    if (op !== 'build') return { op, names: [], nameSpan };
    if (!key) throw wrong('key');
    return { op, names: yield* words.takeNames([], () => words.tooFew({ term: 'columns' })), nameSpan };
  },
  text: ({ names }) => fieldsText(names, []),
  drives: ({ op }) => op !== 'build',
  changes: ({ op }) => op !== 'list',
  *plan({ op, names, nameSpan }, planning) {
    const isFirst = planning.pipeline.input === undefined;
    if (isFirst === (op === 'build')) throw new QueryError(92001, nameSpan);
    if (op === 'list' && planning.options.name === undefined && !planning.isPending('name')) return listed(planning);
    const lookup = nameOf(planning);
    if (op === 'build') return yield* built(lookup, names, planning);
    const known = planning.isPending('name') ? undefined : requireInMemory(lookup, planning);
    if (op === 'list') return lookupRows(known ?? UNKNOWN, keyFirst(known ?? UNKNOWN), planning);
    return { ...planning.planNode({ columns: [] }), ...planning.account, kind: 'memlookup-drop', lookup };
  },
});

/** Stands for a lookup whose name comes from a parameter without a value; such a plan never runs. */
const UNKNOWN: KnownLookup = { name: '', key: '', columns: [] };

function nameOf(planning: Planning): string {
  const { name } = planning.options;
  if (planning.isPending('name')) return name ?? '';
  if (name === undefined || name === GEOIP.name) {
    throw new QueryError(23600, planning.optionAt('name') ?? planning.span, { name: 'name' });
  }
  return name;
}

/** One row for each lookup in memory of the account. */
function listed(planning: Planning): KnownPlanNode {
  const columns = LISTED.map(([name, type]) => planning.newColumn(name, type));
  const order = columns.slice(0, 1).map(({ id }) => ({ column: id, descending: false }));
  return { ...planning.planNode({ columns, order }), ...planning.account, kind: 'system', object: MEMORY_LOOKUPS };
}

/** Of the account; a stored lookup of the name is another one (21200). */
function requireInMemory(name: string, planning: Planning): KnownLookup {
  const found = memoryLookup(name, planning);
  if (found) return found.known;
  const at = planning.optionAt('name') ?? planning.span;
  const suggestions = suggestionsFor(name, [...planning.queryContext.memoryLookups.keys()]);
  const isStored = storedLookup(name, planning) !== undefined;
  const hints = isStored ? { hints: [{ code: 91040 as const, values: { name } }] } : {};
  throw new QueryError(21200, at, { name }, { suggestions, ...hints });
}

/** The key comes first. */
const keyFirst = ({ key, columns }: KnownLookup) => [
  ...columns.filter(({ name }) => name === key),
  ...columns.filter(({ name }) => name !== key),
];

function* built(lookup: string, names: readonly Name[], planning: Planning): SlicedWork<KnownPlanNode> {
  const { key } = planning.options;
  if (key === undefined && !planning.isPending('key')) {
    throw new QueryError(23600, planning.optionAt('key') ?? planning.span, { name: 'key' });
  }
  const node: MemoryBuild = {
    ...planning.step(planning.rows),
    ...planning.account,
    kind: 'memlookup',
    lookup,
    key: key ?? '',
    records: yield* firstOfEachKey(key ?? '', names, planning),
  };
  planning.pipeline.built.set(lookup, node);
  return node;
}
