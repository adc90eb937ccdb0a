import { aggregateNamed, functionNamed } from '#query/functions/index.ts';
import { about, duration, flag, orElse, time, withoutEffect } from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Column } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';

import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { call, literal } from '#query/values/typing.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';
import { type RangeValues, warnUnusedDuration, wholeScan, writtenRange } from './shared/sources.ts';
import { SYSTEM_OBJECTS, type SystemObject } from './shared/system-objects.ts';
import { specsText, type TableSpec, takeSpecs } from './shared/table-specs.ts';

const RANGE = ['duration', 'from', 'to'] as const;

export const system = command({
  name: 'system',
  class: 'driver',
  syntax: 'system [duration=D] [from=T] [to=T] [verbose=f] [diskonly=f] OBJECT [SPEC, ...]',
  summary: { en: 'Rows about the service.', ko: '서비스에 관한 행을 읽습니다.' },
  rules: [
    'The options may also stand behind OBJECT. `diskonly=` is accepted for `count` and has no effect.',
    'A range of time is for objects with `_time`, `verbose=t` for `tables`, SPEC (as in `table`, without nodes) for `count`.',
    ...Object.entries(SYSTEM_OBJECTS).map(([name, object]) => `\`${name}\` ${described(object)}`),
    'Rows and values are those that the operation for the same object lists for the account, read once when the run begins; where the account may not call it, 95001. `queries` are those of all living nodes, inside of `remote` those of the node that runs it; a node that does not answer within 5 seconds is the warning 90912, one that refuses to is 90913. `count` has the stored rows of each readable table and day of the zone of the query.',
  ],
  errors: [10001, 90001, 95000, 95001],
  examples: [
    {
      tables: { web: [{ a: 1 }] },
      query: 'system tables | search table_name == "web" | fields table_name, layout',
      gives: [{ table_name: 'web', layout: 'columnar' }],
    },
    {
      tables: {
        web: [
          { _time: '@2026-11-14 10:00:00+0900' },
          { _time: '@2026-11-15 10:00:00+0900' },
          { _time: '@2026-11-15 11:00:00+0900' },
        ],
      },
      query: 'system from=20261114 count web | timechart sum(count) as n by table_name',
      gives: [
        { _time: '@2026-11-14 00:00:00+0900', web: 1 },
        { _time: '@2026-11-15 00:00:00+0900', web: 2 },
      ],
    },
    {
      tables: { web: [{ a: 1 }] },
      query: 'system verbose=t tables | search table_name == "web" | fields table_name, row_count, columns',
      gives: [{ table_name: 'web', row_count: 1, columns: ['a'] }],
    },
    {
      tables: { web: [{ a: 1 }] },
      query: 'system tables verbose=t | search table_name == "web" | fields row_count',
      normalized: 'system verbose=t tables | search table_name == "web" | fields row_count',
      gives: [{ row_count: 1 }],
    },
    {
      tables: { web: [{ a: 1 }] },
      query: 'system count diskonly=t web | fields table_name, count',
      normalized: 'system count web | fields table_name, count',
      gives: [{ table_name: 'web', count: 1 }],
    },
    { query: 'system events | stats count', gives: [{ count: 0 }] },
    { query: 'system from=20261101 rules', refused: { code: 90001, begin: 7, end: 11 } },
    {
      tables: { web: [{ _time: '@2026-11-14 10:00:00+0900' }, { _time: '@2026-11-15 10:00:00+0900' }] },
      query: 'system to=20261115 count web | fields table_name, count',
      gives: [{ table_name: 'web', count: 1 }],
    },
  ],
  options: {
    duration: about(duration, OPTION_SUMMARIES.duration),
    from: about(time, OPTION_SUMMARIES.from),
    to: about(time, OPTION_SUMMARIES.to),
    verbose: about(orElse(false, flag), { en: 'Adds further columns.', ko: '컬럼을 더합니다.' }),
    diskonly: about(withoutEffect(flag), OPTION_SUMMARIES.parallel),
  },
  first: { read: takeObject, text: ({ text }) => text, isBehindOptions: true },
  read(words, { first: word }) {
    const specs = word.text === 'count' && !words.isDone ? takeLocalSpecs(words) : undefined;
    return { word, specs };
  },
  text: ({ specs }) => (specs ? specsText(specs) : ''),
  plan({ word, specs }, planning) {
    const object = SYSTEM_OBJECTS[word.text];
    if (!object) throw new Error(`${word.text} is no object`);
    requireOptionsOf(object, planning);
    warnUnusedDuration(planning);
    const range = writtenRange(planning);
    if (word.text === 'count') return countedDays(specs, planning);
    if (!planning.queryContext.systemObjects.has(word.text)) throw new QueryError(95001, word, { name: word.text });
    const isVerbose = planning.options.verbose ?? false;
    const columns = columnsOf({ ...object.columns, ...(isVerbose ? object.verbose : {}) }, planning);
    const node = planning.planNode({ columns, order: orderOf(object, columns) });
    return { ...node, ...planning.account, kind: 'system', object: word.text, range, isVerbose };
  },
});

function described({ columns, verbose, order, time: moment }: SystemObject): string {
  const sorted = `by ${order.map(({ name }) => `\`${name}\``).join(', ')}${order[0]?.descending ? ', newest first' : ''}`;
  const more = verbose ? `; \`verbose=t\` adds ${Object.keys(verbose).join(', ')}` : '';
  const about = moment === undefined ? '' : `; \`_time\` is the ${moment}`;
  return `${sorted}: ${Object.keys(columns).join(', ')}${more}${about}.`;
}

function takeObject(words: Words): Name {
  const word = words.takeWord();
  if (!word) throw words.tooFew({ term: 'object' });
  if (Object.hasOwn(SYSTEM_OBJECTS, word.text)) return word;
  const suggestions = suggestionsFor(word.text, Object.keys(SYSTEM_OBJECTS));
  throw new QueryError(95000, word, { name: word.text }, { suggestions });
}

/** Tables of this service, named in the text. */
function takeLocalSpecs(words: Words): readonly TableSpec[] {
  const specs = takeSpecs(words);
  const other = specs.find(({ node }) => node);
  if (other?.node) throw new QueryError(90201, other.node, { token: other.node.text });
  return specs;
}

/** 90001 for an option that the object does not have. */
function requireOptionsOf(
  { time: moment, verbose, mayCountDisks }: SystemObject,
  planning: CommandPlanning<SystemValues>,
): void {
  const refused = [
    ...(moment === undefined ? RANGE : []),
    ...(verbose ? [] : (['verbose'] as const)),
    ...(mayCountDisks ? [] : (['diskonly'] as const)),
  ];
  const [first] = refused
    .flatMap((key) => {
      const at = planning.optionAt(key);
      return at ? [{ name: key, begin: at.begin, end: at.begin + key.length }] : [];
    })
    .sort((one, other) => one.begin - other.begin);
  if (first) throw new QueryError(90001, first, { command: 'system', name: first.name });
}

interface SystemValues extends RangeValues {
  readonly verbose: boolean | undefined;
  readonly diskonly: boolean | undefined;
}

const columnsOf = (columns: SystemObject['columns'], planning: CommandPlanning<unknown>): Column[] =>
  Object.entries(columns).map(([name, type]) => planning.newColumn(name, type));

const orderOf = ({ order }: SystemObject, columns: readonly Column[]) =>
  order.flatMap(({ name, descending }) => {
    const column = columns.find((one) => one.name === name);
    return column ? [{ column: column.id, descending }] : [];
  });

/** The rows of tables by table and day: as `stats` over the scan, so that no row leaves the engine. */
function countedDays(specs: readonly TableSpec[] | undefined, planning: CommandPlanning<SystemValues>): KnownPlanNode {
  const { span } = planning;
  const input = wholeScan(specs, planning);
  const trunc = functionNamed('datetrunc');
  const count = aggregateNamed('count');
  const object = SYSTEM_OBJECTS.count;
  if (!trunc || !count || !object) throw new Error('the functions of a count are missing');
  const columns = columnsOf(object.columns, planning);
  const [day, table, rows] = columns;
  if (!day || !table || !rows) throw new Error('the columns of a count are missing');
  const field = (name: string) => planning.quietField(name, input.rows);
  const counted = { called: count, args: [], type: 'long', ...span, output: 'count', outputSpan: span } as const;
  return {
    ...planning.planNode({ columns, order: orderOf(object, columns) }),
    kind: 'stats',
    input,
    bracket: [input],
    by: [
      { column: table, value: field('_table') },
      { column: day, value: call(trunc, [field('_time'), literal('1d', span)], span) },
    ],
    aggregates: [{ call: counted, column: rows }],
  };
}
