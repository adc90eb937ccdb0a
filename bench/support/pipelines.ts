// The pipelines of everyday work on an access log, and the fastest SQL of DuckDB for the same: the columns that are needed,
// nothing that only this log or this layout of files would allow.

import type { Aim } from './bench.ts';
import { TABLE } from './log-fill.ts';
import { OWNERS } from './owners.ts';
import type { WireRow } from './query-calls.ts';
import type { StoredLog } from './stored-log.ts';

/** What the SQL reads: files for a FROM, and what is asked for. */
export interface Asked extends Pick<StoredLog, 'files'> {
  /** Files of the second table. */
  readonly owners: string;
  /** Columns of texts of the files. */
  readonly texts: readonly string[];
  /** Names of all columns of the files. */
  readonly columns: ReadonlySet<string>;
  /** Words that one record has. */
  readonly words: readonly string[];
  /** Users with some hundred records. */
  readonly users: readonly string[];
}

export interface PipelineTurn {
  readonly query: string;
  readonly sql: string;
  /** SQL of the right answer, where `sql` asks for less. */
  readonly answer?: string;
  /** The same for ClickHouse, over its table `app`. */
  readonly clickHouse?: string;
  /** Rows of the SQL in the shape of ours. */
  readonly shape?: (rows: readonly WireRow[]) => readonly WireRow[];
  /** SQL that counts what each command hands on, in the order of the text; absent: not compared. */
  readonly pushes?: readonly string[];
  /** The same of each subquery. */
  readonly subPushes?: readonly (readonly string[])[];
}

export interface Pipeline {
  readonly name: string;
  readonly aim: Aim;
  /** In place of the usual one. */
  readonly besideClickHouse?: Aim;
  turn(turn: number, asked: Asked): PipelineTurn;
}

const TEXTS = ['src_ip', 'method', 'host', 'path', 'trace', 'referer', 'user_agent'];
const STATUSES = [500, 404, 403, 401, 301];
const AIM: Aim = { of: 'ratio', is: 'at most', bound: 1.15 };
/** Beside DuckDB's own aggregates. */
const STATISTICS: Aim = { of: 'ratio', is: 'at most', bound: 1.5 };

const count = (source: string): string => `select count(*) as count from ${source}`;

export const pipelines: readonly Pipeline[] = [
  {
    // Every value of a field is its own word, so the records are those with this value, however SQL finds them.
    name: 'rare string over all text',
    aim: AIM,
    turn(turn, { files, words }) {
      const term = words[turn % words.length] ?? '';
      const found = TEXTS.map((text) => `contains(${text}, '${term}')`).join(' or ');
      return {
        query: `fulltext "${term}" from ${TABLE}`,
        sql: `select * from ${files} where ${found} order by _time desc`,
        pushes: [`select count(*) as count from ${files} where trace = '${term}'`],
      };
    },
  },
  {
    name: 'filter and count',
    aim: AIM,
    turn(turn, { files }) {
      const status = STATUSES[turn % STATUSES.length];
      const counted = count(`${files} where status = ${status}`);
      return {
        query: `table ${TABLE} | search status == ${status} | stats count`,
        sql: counted,
        pushes: [count(files), counted, 'select 1 as count'],
      };
    },
  },
  {
    name: 'top 10 of a group',
    aim: AIM,
    turn: (_, { files }) => ({
      query: `table ${TABLE} | stats count by path | sort limit=10 -count, path`,
      sql: `select path, count(*) as count from ${files} group by path order by count desc, path limit 10`,
      pushes: [count(files), `select count(distinct path) as count from ${files}`, 'select 10 as count'],
    }),
  },
  {
    name: 'one-minute timechart',
    aim: AIM,
    turn(_, { files }) {
      const buckets = `select time_bucket(interval 1 minute, _time) as _time, count(*) as count, sum(bytes)::bigint as volume
        from ${files} group by all order by all`;
      return {
        query: `table ${TABLE} | timechart span=1m count, sum(bytes) as volume`,
        sql: buckets,
        pushes: [count(files), count(`(${buckets})`)],
      };
    },
  },
  {
    name: 'rex and stats',
    aim: AIM,
    turn(_, { files }) {
      const items = `select regexp_extract(path, '/([a-z]+)-\\d+$', 1) as item, count(*) as count from ${files}
        group by item order by item`;
      return {
        query: `table ${TABLE} | rex field=path "/(?<item>[a-z]+)-\\d+$" | stats count by item`,
        sql: items,
        pushes: [count(files), count(files), count(`(${items})`)],
      };
    },
  },
  {
    name: 'join of two tables',
    aim: AIM,
    turn(_, { files, owners }) {
      const joined = `${files} join ${owners} as owners using (src_ip)`;
      return {
        query: `table ${TABLE} | join src_ip [ table ${OWNERS} | fields src_ip, team ] | stats count, sum(bytes) as volume by team`,
        sql: `select team, count(*) as count, sum(bytes)::bigint as volume from ${joined} group by team order by team`,
        pushes: [count(files), count(joined), `select count(distinct team) as count from ${joined}`],
        subPushes: [[count(owners), count(owners)]],
      };
    },
  },
  {
    name: 'last 100',
    aim: AIM,
    turn: (_, { files }) => ({
      query: `table limit=100 ${TABLE}`,
      sql: `select * from ${files} order by _time desc, _id desc limit 100`,
      pushes: ['select 100 as count'],
    }),
  },
  {
    name: 'dedup',
    aim: AIM,
    turn(_, { files }) {
      const newest = `(select status from ${files} qualify row_number() over (partition by src_ip order by _time desc) = 1)`;
      return {
        query: `table ${TABLE} | dedup src_ip | stats count by status`,
        sql: `select status, count(*) as count from ${newest} group by status order by status`,
        pushes: [
          count(files),
          `select count(distinct src_ip) as count from ${files}`,
          `select count(distinct status) as count from ${newest}`,
        ],
      };
    },
  },
  {
    name: 'boxplot',
    aim: STATISTICS,
    turn(_, { files }) {
      const boxes = `select status, count(bytes) as count, min(bytes) as min, quantile_cont(bytes, [0.25, 0.5, 0.75]) as q, max(bytes) as max
        from ${files} group by status`;
      return {
        query: `table ${TABLE} | boxplot bytes by status`,
        sql: `select status, count, min, q[1] as iqr1, q[2] as iqr2, q[3] as iqr3, max from (${boxes}) order by status`,
        pushes: [count(files), `select count(distinct status) as count from ${files}`],
      };
    },
  },
  {
    // The last digits of a sum depend on the order of its parts.
    name: 'correlation',
    aim: STATISTICS,
    turn: (_, { files }) => ({
      query: `table ${TABLE} | correlation status, bytes | eval corr = round(corr, 6)`,
      sql: `select 'status' as x, 'bytes' as y, regr_count(bytes, status)::bigint as count, round(corr(bytes, status), 6) as corr
        from ${files}`,
      pushes: [count(files), 'select 1 as count', 'select 1 as count'],
    }),
  },
  {
    name: 'linearreg',
    aim: STATISTICS,
    turn: (_, { files }) => ({
      query: `table ${TABLE} | linearreg status, bytes | fields count, slope, r2 | eval slope = round(slope, 6), r2 = round(r2, 6)`,
      sql: `select regr_count(bytes, status)::bigint as count, round(regr_slope(bytes, status), 6) as slope,
        round(regr_r2(bytes, status), 6) as r2 from ${files}`,
      pushes: [count(files), 'select 1 as count', 'select 1 as count', 'select 1 as count'],
    }),
  },
];
