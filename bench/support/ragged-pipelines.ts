// What is asked of an application log every day: counts, charts, words, phrases and the newest records. Beside each stands the
// fastest SQL for the same, or the aim in milliseconds that such a question has.

import { PHRASE, RARE_WORD, REGEX_MESSAGE } from './application-texts.ts';
import type { Aim } from './bench.ts';
import { TABLE } from './log-fill.ts';
import type { Asked, Pipeline, PipelineTurn } from './pipelines.ts';
import type { WireRow } from './query-calls.ts';
import type { StoredLog } from './stored-log.ts';

export const RAGGED_LIMIT = 100;
export const RAGGED_STATUSES = [500, 404, 403, 401, 302] as const;
const COMMON_TEXTS = ['level', 'service', 'host', 'src_ip', '"user"', 'path', 'message'];

const within = (milliseconds: number): Aim => ({ of: 'value', is: 'at most', bound: milliseconds });
const times = (bound: number): Aim => ({ of: 'ratio', is: 'at most', bound });

const count = (source: string): string => `select count(*) as count from ${source}`;

/** The newest hundred that fulfil a condition. */
const newest = (files: string, condition = 'true'): string =>
  `select * from ${files} where ${condition} order by _time desc, _id desc limit ${RAGGED_LIMIT}`;

/** Rows of bucket, level and count as the rows of a chart: one for each bucket. */
function charted(rows: readonly WireRow[]): WireRow[] {
  const buckets = new Map<unknown, Record<string, unknown>>();
  for (const { _time, level, count: counted } of rows) {
    const bucket = buckets.get(_time) ?? { _time };
    bucket[String(level)] = counted;
    buckets.set(_time, bucket);
  }
  return [...buckets.values()];
}

const levelsIn = (files: string): string =>
  `select time_bucket(interval 1 minute, _time) as _time, level, count(*) as count from ${files} group by all order by all`;

const CLICKHOUSE_TEXTS = [
  ...[...COMMON_TEXTS, 'code', 'http', 'labels', 'tags', 'release', 'severity'],
  ...['kubernetes.pod.name', 'event.data.TargetUserName', 'event.data.IpAddress'],
];

type Columns = Asked['columns'];

/** A field of numbers and of texts that are numbers, as a number: the two columns of a file for it. */
function numberIn(columns: Columns, field: string): string {
  const text = `${field}:string`;
  return columns.has(text) ? `coalesce(${field}, try_cast("${text}" as double))` : field;
}

/** A leaf of an object: a column of its own, or a part of the JSON that has no column. */
function leafIn(columns: Columns, ...path: readonly string[]): string {
  const column = path.join('.');
  return columns.has(column) ? `"${column}"` : `_rest->>'$.${column}'`;
}

const clickHouseLevels = (condition: string): string =>
  `select toStartOfMinute(_time) as minute, level, count() from app where ${condition} group by all order by all`;

type Asking = Pick<PipelineTurn, 'query' | 'sql' | 'answer' | 'clickHouse'>;

function counted(name: string, aim: Aim, ask: (term: string, asked: Asked) => Asking): Pipeline {
  const turn: Pipeline['turn'] = (at, asked) =>
    withFiles(ask(asked.words[at % asked.words.length] ?? '', asked), asked.files);
  return { name, aim, turn };
}

/** Over fields of mixed type and over leaves of objects: bare DuckDB reads the same files, ClickHouse columns of one type. */
const mixed = (name: string, ask: (columns: Columns) => Asking): Pipeline => ({
  ...counted(name, times(1.3), (_, { columns }) => ask(columns)),
  besideClickHouse: times(1.3),
});

/** Queries name the table, SQL the files. */
const withFiles = ({ query, sql, answer, ...beside }: Asking, files: string): PipelineTurn => ({
  ...beside,
  query: query.replaceAll('TABLE', TABLE),
  sql: sql.replaceAll('FILES', files),
  ...(answer === undefined ? {} : { answer: answer.replaceAll('FILES', files) }),
});

/** Rare words and users of a log, as many as said. */
export async function raggedAsked({ duckdb, files }: StoredLog, count: number): Promise<Asked> {
  const words = await duckdb.rows(
    `select regexp_extract(message, '[0-9a-f]{8}') as word from ${files} order by md5(message) limit ${count}`,
  );
  const users = await duckdb.rows(
    `select "user" as name from ${files} where "user" is not null group by all having count(*) < 1000
      order by count(*) desc, name limit ${count}`,
  );
  const columns = await duckdb.rows(`describe select * from ${files}`);
  const texts = columns.filter(({ column_type }) => column_type === 'VARCHAR' || column_type === 'JSON');
  return {
    files,
    owners: '',
    columns: new Set(columns.map(({ column_name }) => String(column_name))),
    texts: [...texts.map(({ column_name }) => `"${column_name}"`), 'code::varchar'],
    words: words.map(({ word }) => String(word)),
    users: users.map(({ name }) => String(name)),
  };
}

/** Numbers that are texts now and then, and members of objects. */
const mixedPipelines: readonly Pipeline[] = [
  mixed('mixed, two filters', (columns) => ({
    query: 'table TABLE | search level == "ERROR" and status >= 500 | stats count',
    sql: count(`FILES where level = 'ERROR' and ${numberIn(columns, 'status')} >= 500`),
    clickHouse: count(`app where level = 'ERROR' and status >= 500`),
  })),
  mixed('mixed, count, average and 95th percentile by host', (columns) => {
    const duration = numberIn(columns, 'duration_ms');
    return {
      query:
        'table TABLE | stats count, avg(duration_ms) as mean, percentile(duration_ms, 95) as slow by host | eval mean = round(mean, 8), slow = round(slow, 8) | sort host',
      sql: `select host, count(*) as count, round(avg(${duration}), 8) as mean, round(quantile_cont(${duration}, 0.95), 8) as slow from FILES group by host order by host`,
      clickHouse:
        'select host, count(), round(avg(duration_ms), 8), round(quantile(0.95)(duration_ms), 8) from app group by host order by host',
    };
  }),
  mixed('mixed, sum by service', (columns) => ({
    query: 'table TABLE | stats sum(bytes) as bytes by service | sort service',
    sql: `select service, sum(${numberIn(columns, 'bytes')})::bigint as bytes from FILES group by service order by service`,
    clickHouse: 'select service, sum(bytes) from app group by service order by service',
  })),
  mixed('mixed, users of failed logins', (columns) => ({
    query: 'table TABLE | search EventID == 4625 | stats count by user | sort limit=10 -count, user',
    sql: `select "user", count(*) as count from FILES where ${numberIn(columns, 'EventID')} = 4625 group by "user" order by count desc, "user" limit 10`,
    clickHouse: 'select user, count() as c from app where EventID = 4625 group by user order by c desc, user limit 10',
  })),
  mixed('nested, count by namespace', (columns) => ({
    query:
      'table TABLE | eval namespace = valueof(kubernetes, "namespace") | stats count by namespace | sort -count, namespace',
    sql: `select ${leafIn(columns, 'kubernetes', 'namespace')} as namespace, count(*) as count from FILES group by namespace order by count desc, namespace nulls first`,
    clickHouse: 'select kubernetes.namespace as n, count() as c from app group by n order by c desc, n',
  })),
  mixed('nested, three levels deep', (columns) => ({
    query:
      'table TABLE | search valueof(valueof(valueof(kubernetes, "pod"), "labels"), "app") == "payments" | stats count by host | sort host',
    sql: `select host, count(*) as count from FILES where ${leafIn(columns, 'kubernetes', 'pod', 'labels', 'app')} = 'payments' group by host order by host`,
    clickHouse:
      "select host, count() from app where kubernetes.pod.labels.app = 'payments' group by host order by host",
  })),
];

export const raggedPipelines: readonly Pipeline[] = [
  counted('count', within(3), () => ({
    query: 'table TABLE | stats count',
    sql: count('FILES'),
    clickHouse: count('app'),
  })),
  {
    name: 'filter and count',
    aim: times(1.15),
    turn: (turn, { files, columns }) => {
      const status = RAGGED_STATUSES[turn % RAGGED_STATUSES.length];
      const query = `table TABLE | search status == ${status} | stats count`;
      const sql = count(`FILES where ${numberIn(columns, 'status')} = ${status}`);
      return withFiles({ query, sql, clickHouse: count(`app where status = ${status}`) }, files);
    },
  },
  counted('group and 95th percentile', times(1.15), (_, { columns }) => ({
    query: 'table TABLE | stats count, percentile(duration_ms, 95) as slow by service | sort service',
    sql: `select service, count(*) as count, quantile_cont(${numberIn(columns, 'duration_ms')}, 0.95) as slow from FILES group by service order by service`,
    clickHouse: 'select service, count(), quantile(0.95)(duration_ms) from app group by service order by service',
  })),
  counted('group by host', times(1.15), () => ({
    query: 'table TABLE | stats count by host | sort host',
    sql: 'select host, count(*) as count from FILES group by host order by host',
    clickHouse: 'select host, count() from app group by host order by host',
  })),
  {
    name: 'minute by level',
    aim: times(1.1),
    turn: (_, { files }) => ({
      query: `table ${TABLE} | timechart span=1m count by level`,
      sql: levelsIn(files),
      clickHouse: clickHouseLevels('true'),
      shape: charted,
    }),
  },
  {
    name: 'last hour, minute by level',
    aim: times(1.1),
    turn: (_, { files }) => ({
      query: `table from=20260310230000 to=20260311000000 ${TABLE} | timechart span=1m count by level`,
      sql: levelsIn(
        `${files} where _time >= timestamp '2026-03-10 23:00:00' and _time < timestamp '2026-03-11 00:00:00'`,
      ),
      clickHouse: clickHouseLevels("_time >= '2026-03-10 23:00:00' and _time < '2026-03-11 00:00:00'"),
      shape: charted,
    }),
  },
  counted('distinct', times(1.15), () => ({
    query: 'table TABLE | stats dc(src_ip) as clients',
    sql: 'select count(distinct src_ip) as clients from FILES',
    clickHouse: "select uniqExact(src_ip) from app where src_ip != ''",
  })),
  counted('top 10 paths', times(1.15), () => ({
    query: 'table TABLE | stats count by path | sort limit=10 -count, path',
    sql: 'select path, count(*) as count from FILES group by path order by count desc, path limit 10',
    clickHouse: "select path, count() as c from app where path != '' group by path order by c desc, path limit 10",
  })),
  counted('rare token in a field', within(10), (term) => ({
    query: `table TABLE | search contains(message, "${term}")`,
    sql: `select * from FILES where contains(message, '${term}') order by _time desc, _id desc`,
    clickHouse: `select * from app where position(message, '${term}') > 0 order by _time desc`,
  })),
  counted('rare token in any field', within(15), (term, { texts }) => ({
    query: `fulltext "${term}" from TABLE`,
    sql: `select * from FILES where ${texts.map((text) => `contains(${text}, '${term}')`).join(' or ')} order by _time desc, _id desc`,
    clickHouse: `select * from app where ${CLICKHOUSE_TEXTS.map((text) => `position(${text}, '${term}') > 0`).join(' or ')} order by _time desc`,
  })),
  counted('phrase, fulltext', times(1.2), () => ({
    query: `fulltext "${PHRASE}" from TABLE | stats count`,
    sql: count(`FILES where contains(message, '${PHRASE}')`),
    answer: count(`FILES where contains(lower(message), '${PHRASE}')`),
    clickHouse: count(`app where positionCaseInsensitive(message, '${PHRASE}') > 0`),
  })),
  counted('phrase, contains', times(1.15), () => ({
    query: `table TABLE | search contains(message, "${PHRASE}") | stats count`,
    sql: count(`FILES where contains(message, '${PHRASE}')`),
    clickHouse: count(`app where position(message, '${PHRASE}') > 0`),
  })),
  counted('regular expression', times(1.15), () => ({
    query: `table TABLE | search match(message, "${REGEX_MESSAGE} \\\\d+ of \\\\d+") | stats count`,
    sql: count(`FILES where regexp_matches(message, '${REGEX_MESSAGE} \\d+ of \\d+')`),
    clickHouse: count(`app where match(message, '${REGEX_MESSAGE} \\\\d+ of \\\\d+')`),
  })),
  counted('newest 100', within(10), () => ({
    query: `table TABLE | limit ${RAGGED_LIMIT}`,
    sql: newest('FILES'),
    clickHouse: `select * from app order by _time desc limit ${RAGGED_LIMIT}`,
  })),
  counted('newest 100 with a word, search', within(20), () => ({
    query: `table TABLE | search contains(message, "${RARE_WORD}") | limit ${RAGGED_LIMIT}`,
    sql: newest('FILES', `contains(message, '${RARE_WORD}')`),
    clickHouse: `select * from app where position(message, '${RARE_WORD}') > 0 order by _time desc limit ${RAGGED_LIMIT}`,
  })),
  counted('newest 100 with a word, fulltext', within(20), () => ({
    query: `fulltext "${RARE_WORD}" from TABLE | limit ${RAGGED_LIMIT}`,
    sql: newest('FILES', `contains(message, '${RARE_WORD}')`),
    clickHouse: `select * from app where position(message, '${RARE_WORD}') > 0 order by _time desc limit ${RAGGED_LIMIT}`,
  })),
  {
    name: 'one user, all rows',
    aim: times(1.15),
    turn: (turn, { files, users }) => {
      const user = users[turn % users.length] ?? '';
      return {
        query: `table ${TABLE} | search user == "${user}"`,
        sql: `select * from ${files} where "user" = '${user}' order by _time desc, _id desc`,
        clickHouse: `select * from app where user = '${user}' order by _time desc`,
      };
    },
  },
  ...mixedPipelines,
];

/** A query that reads nothing: what every query costs before it does anything. */
export const TINY_QUERY = `json "[{'n':1}]"`;

/** What many clients ask at the same time, each the next of these. */
export const MIXED_QUERIES: readonly string[] = [
  `table ${TABLE} | search status == 404 | stats count`,
  `table ${TABLE} | stats count by host`,
  `table from=20260310230000 to=20260311000000 ${TABLE} | timechart span=1m count by level`,
  `table ${TABLE} | limit ${RAGGED_LIMIT}`,
  `fulltext "${RARE_WORD}" from ${TABLE} | limit ${RAGGED_LIMIT}`,
];
