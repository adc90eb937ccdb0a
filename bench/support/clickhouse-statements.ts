// The pipelines as somebody would write them by hand for ClickHouse, over the table as the service has stored it there. Each reads
// what the question needs and nothing of what the service must know besides, such as the counts of commands.

import { PHRASE, RARE_WORD, REGEX_MESSAGE } from './application-texts.ts';
import { TABLE } from './log-fill.ts';
import type { Asked, Pipeline } from './pipelines.ts';
import { RAGGED_LIMIT, RAGGED_STATUSES, raggedPipelines } from './ragged-pipelines.ts';

/** A stored table, with the columns of its fields. */
export interface StoredTable {
  readonly table: string;
  column(field: string): string;
  readonly texts: readonly string[];
}

export interface HandWritten {
  readonly pipeline: Pick<Pipeline, 'name'> & { query(turn: number, asked: Asked): string };
  sql(stored: StoredTable, turn: number, asked: Asked): string;
  /** Whether ClickHouse makes the groups or chooses the rows itself, so that few travel. */
  readonly isWhole: boolean;
}

type Sql = HandWritten['sql'];

const MINUTE = 'intDiv(_time, 60000) as minute';
const LAST_HOUR = `_time >= ${Date.UTC(2026, 2, 10, 23)} and _time < ${Date.UTC(2026, 2, 11)}`;
const ORDER = 'order by _time desc, _id desc';

const word = (turn: number, { words }: Asked): string => words[turn % words.length] ?? '';

/** What is not of the column's type is in `_rest`, as JSON. */
const numberOf = ({ column }: StoredTable, field: string): string =>
  `coalesce(toFloat64(${column(field)}), toFloat64OrNull(trim(both '"' from _rest['${field}'])))`;

const leafOf = (field: string, ...path: readonly string[]): string =>
  `JSONExtractString(_rest['${field}'], ${path.map((key) => `'${key}'`).join(', ')})`;

/** By the names of `raggedPipelines`; those that read records in any case are not held against the aim. */
const WHOLE: Readonly<Record<string, Sql>> = {
  count: ({ table }) => `select count() from ${table}`,
  'filter and count': (stored, turn) =>
    `select count() from ${stored.table} where ${numberOf(stored, 'status')} = ${RAGGED_STATUSES[turn % RAGGED_STATUSES.length]}`,
  'group by host': ({ table, column }) => `select ${column('host')} as h, count() from ${table} group by h order by h`,
  'minute by level': ({ table, column }) =>
    `select ${MINUTE}, ${column('level')} as l, count() from ${table} group by minute, l order by minute, l`,
  'last hour, minute by level': ({ table, column }) =>
    `select ${MINUTE}, ${column('level')} as l, count() from ${table} where ${LAST_HOUR} group by minute, l order by minute, l`,
  'newest 100': ({ table }) => `select * from ${table} ${ORDER} limit ${RAGGED_LIMIT}`,
  'newest 100 with a word, search': ({ table, column }) =>
    `select * from ${table} where position(${column('message')}, '${RARE_WORD}') > 0 ${ORDER} limit ${RAGGED_LIMIT}`,
  'phrase, contains': ({ table, column }) =>
    `select count() from ${table} where position(${column('message')}, '${PHRASE}') > 0`,
  'one user, all rows': ({ table, column }, turn, { users }) =>
    `select * from ${table} where ${column('user')} = '${users[turn % users.length] ?? ''}' ${ORDER}`,
  'rare token in a field': ({ table, column }, turn, asked) =>
    `select * from ${table} where position(${column('message')}, '${word(turn, asked)}') > 0 ${ORDER}`,
};

const IN_PART: Readonly<Record<string, Sql>> = {
  'group and 95th percentile': (stored) =>
    `select ${stored.column('service')} as s, count(), quantileExact(0.95)(${numberOf(stored, 'duration_ms')}) from ${stored.table} group by s order by s`,
  distinct: ({ table, column }) => `select uniqExact(${column('src_ip')}) from ${table}`,
  'top 10 paths': ({ table, column }) =>
    `select ${column('path')} as p, count() as c from ${table} group by p order by c desc, p limit 10`,
  'rare token in any field': (stored, turn, asked) =>
    `select * from ${stored.table} where ${inAnyText(stored, word(turn, asked))} ${ORDER}`,
  'phrase, fulltext': (stored) => `select count() from ${stored.table} where ${inAnyText(stored, PHRASE)}`,
  'newest 100 with a word, fulltext': (stored) =>
    `select * from ${stored.table} where ${inAnyText(stored, RARE_WORD)} ${ORDER} limit ${RAGGED_LIMIT}`,
  'mixed, two filters': (stored) =>
    `select count() from ${stored.table} where ${stored.column('level')} = 'ERROR' and ${numberOf(stored, 'status')} >= 500`,
  'mixed, count, average and 95th percentile by host': (stored) => {
    const duration = numberOf(stored, 'duration_ms');
    return `select ${stored.column('host')} as h, count(), avg(${duration}), quantileExact(0.95)(${duration}) from ${stored.table} group by h order by h`;
  },
  'mixed, sum by service': (stored) =>
    `select ${stored.column('service')} as s, sum(${numberOf(stored, 'bytes')}) from ${stored.table} group by s order by s`,
  'mixed, users of failed logins': (stored) =>
    `select ${stored.column('user')} as u, count() as c from ${stored.table} where ${numberOf(stored, 'EventID')} = 4625 group by u order by c desc, u limit 10`,
  'nested, count by namespace': ({ table }) =>
    `select ${leafOf('kubernetes', 'namespace')} as n, count() as c from ${table} group by n order by c desc, n`,
  'nested, three levels deep': ({ table, column }) =>
    `select ${column('host')} as h, count() from ${table} where ${leafOf('kubernetes', 'pod', 'labels', 'app')} = 'payments' group by h order by h`,
  'regular expression': ({ table, column }) =>
    `select count() from ${table} where match(${column('message')}, '${REGEX_MESSAGE} \\\\d+ of \\\\d+')`,
};

const inAnyText = ({ texts }: StoredTable, sought: string): string =>
  [
    ...texts.map((text) => `positionCaseInsensitive(${text}, '${sought}') > 0`),
    `arrayExists(v -> positionCaseInsensitive(v, '${sought}') > 0, mapValues(_rest))`,
  ].join(' or ');

/** Beside those of the other bench: what groups and dedup cost on ClickHouse. */
const OWN: readonly HandWritten[] = [
  own(
    'sums by service and level',
    'stats count, sum(bytes), avg(bytes), max(duration_ms) by service, level',
    (stored) => {
      const { table, column } = stored;
      return `select ${column('service')} as s, ${column('level')} as l, count(), sum(${column('bytes')}),
      avg(${column('bytes')}), max(${column('duration_ms')}) from ${table} group by s, l order by s, l`;
    },
  ),
  own('newest of each service', 'dedup service | fields service, level, message', ({ table, column }) => {
    const [service, level, message] = ['service', 'level', 'message'].map(column);
    return `select ${service} as s, argMax((${level}, ${message}), (_time, _id)) from ${table} group by s`;
  }),
];

function own(name: string, commands: string, sql: Sql): HandWritten {
  return { pipeline: { name, query: () => `table ${TABLE} | ${commands}` }, sql, isWhole: true };
}

export const handWritten: readonly HandWritten[] = [
  ...raggedPipelines.map((pipeline) => {
    const { name } = pipeline;
    const sql = WHOLE[name] ?? IN_PART[name];
    if (!sql) throw new Error(`there is no statement for ${name}`);
    const query = (turn: number, asked: Asked) => pipeline.turn(turn, asked).query;
    return { pipeline: { name, query }, sql, isWhole: name in WHOLE };
  }),
  ...OWN,
];
