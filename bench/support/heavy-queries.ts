// Queries that keep a machine busy for a while, each in another way, and the same in SQL.

import { TABLE } from './log-fill.ts';

export interface HeavyQuery {
  readonly name: string;
  readonly query: string;
  sql(files: string): string;
}

/** Few rows come out of much work. */
export const heavyQueries: readonly HeavyQuery[] = [
  {
    name: 'a group for every record',
    query: `table ${TABLE} | stats count, sum(bytes) as volume by trace | sort limit=10 -volume, trace`,
    sql: (files) =>
      `select trace, count(*) as count, sum(bytes) as volume from ${files} group by trace order by volume desc, trace limit 10`,
  },
  {
    name: 'a text that is nowhere',
    query: `fulltext "nowhere to be found" from ${TABLE}`,
    sql: (files) =>
      `select * from ${files} where ${['src_ip', 'method', 'host', 'path', 'trace', 'referer', 'user_agent']
        .map((text) => `${text} ilike '%nowhere to be found%'`)
        .join(' or ')}`,
  },
  {
    name: 'patterns',
    query: `table ${TABLE} | rex field=referer "(?<word>[a-z]+)-(?<number>\\d+)$" | stats count by word, number`,
    sql: (files) =>
      `select regexp_extract(referer, '([a-z]+)-(\\d+)$', 1) as word, regexp_extract(referer, '([a-z]+)-(\\d+)$', 2) as number,
        count(*) as count from ${files} group by all order by all`,
  },
  {
    name: 'beside the mean of its group',
    query: `table ${TABLE} | eventstats avg(bytes) as mean by path | search bytes > mean | stats count`,
    sql: (files) =>
      `select count(*) as count from (select bytes, avg(bytes) over (partition by path) as mean from ${files}) where bytes > mean`,
  },
  {
    name: 'pairs of a join',
    query: `table ${TABLE} | join src_ip [ table ${TABLE} | search status == 500 | fields src_ip, path ] | stats count by path`,
    sql: (files) =>
      `select errors.path as path, count(*) as count from ${files} as records
        join (select src_ip, path from ${files} where status = 500) as errors using (src_ip) group by errors.path order by path`,
  },
  {
    name: 'the newest of many',
    query: `table ${TABLE} | dedup trace | stats dc(path) as paths by host`,
    sql: (files) =>
      `select host, count(distinct path) as paths from (select host, path from ${files}
        qualify row_number() over (partition by trace order by _time desc) = 1) group by host order by host`,
  },
];

/** Every record comes out. */
export const ALL_RECORDS = `table ${TABLE}`;

const LIST = 'eval l = split(lpad(path, 900, ","), ",")';

/** Lists at the ceiling of one row, which plain DuckDB does not stop making when it is interrupted. */
export const LIST_QUERIES: readonly string[] = [
  `table ${TABLE} | ${LIST} | eval c = foreach(foreach(concat(_1, "x"), l), l), n = len(c) | stats sum(n)`,
  `table ${TABLE} | ${LIST} | search len(foreach(len(zip(l, l)), l)) == 7`,
  `table ${TABLE} | ${LIST} | eval m = l | explode l | explode m | stats count by m`,
];
