// POST /queries/explain

import { isAtLeast } from '#contract/values.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import { STAGE_ENGINES } from '#logs/stage-recorder.ts';
import { arrayOf, choice, int32, int64, optional, orNull, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { flag, orElse } from '#operations/params/params.ts';
import { params, q, range } from '#operations/params/query-params.ts';
import { outlineQuery } from '#queries/check/explained.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { sourceOf } from '#queries/names/sources.ts';
import { constantsOfRange } from '#queries/runs/constants.ts';
import { QueryStages } from '#queries/status/query-stages.ts';

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly engine: LogStore;
}

const stage = record('QueryStage', {
  engine: choice(STAGE_ENGINES)('Where the stage works; `node` is work on rows that no engine reads any more.'),
  commands: arrayOf(string)(
    'Commands that it works for: positions in the status record, those of a subquery as `<position in sub_queries>.<position>`.',
    ['0', '1'],
  ),
  statement: orNull(string)(
    'Statement of the engine, with parameters in place of values; null for accounts below ADMIN and where there is none.',
    'select _time, f3 from t_7 where _time >= {from:Int64}',
  ),
  rows_read: orNull(int64)('Number of rows that it looked at; null where that is not known.', 120000),
  bytes_read: orNull(int64)('Number of bytes that it looked at; null where that is not known.', 4800000),
  rows_moved: orNull(int64)('Number of rows that came from the engine to the node.', 12),
  bytes_moved: orNull(int64)('Number of bytes that came from the engine to the node.', 840),
  elapsed: orNull(int64)('Milliseconds that the stage took.', 35),
});

export const explain = endpoint({
  title: 'Explain query',
  notes:
    'What a query does where, in the order of work. `embedded` is a statement of the embedded engine over stored records, ' +
    '`clickhouse` a statement on ClickHouse, `node` work on the node itself: on rows that came from ClickHouse, on rows that ' +
    'are in memory already, and what runs in the host. Statements that differ in the part of the rows alone are one stage. ' +
    'Work of a procedure belongs to the command that calls it.\n\n' +
    'Without `run` it is the plan alone: nothing runs, the numbers are null, and there is no audit entry. Statements that ' +
    'depend on rows, those of `setq`, of an earlier phase and of values that name columns, are null then; statements that ' +
    'only count rows for the status record are not listed.\n\n' +
    'With `run` the query runs in the foreground like that of Run query, within the same limits, and its rows are ' +
    'dropped; it ends when the client has gone. A command that stores or writes rows is 92002. `id` and `rows` ' +
    'are those of its status record. `rows_read` and `bytes_read` of `clickhouse` are those that the server reports; of ' +
    '`embedded` the rows of the chosen parts of files and of fresh records, and the compressed bytes of their times and of the ' +
    'columns that are read in their row groups, where fresh records have none; of `node` the rows that it was given. ' +
    '`rows_moved` and `bytes_moved` are the rows of answers and their bytes. A repeated attempt counts alone.\n\n' +
    'In statements of DuckDB tables and lookups stand under their names in place of their files. All statements together ' +
    'have at most 1,048,576 characters; those beyond are null.',
  method: 'POST',
  path: '/api/core/queries/explain',
  access: 'MEMBER',
  audit: 'queries.explain',
  isUnit: false,
  params: {
    q,
    params,
    ...range,
    run: orElse(flag, false, 'Whether the query runs; otherwise its plan alone is shown.'),
  },
  answer: record({
    id: optional(int32('Id of the query; absent without `run`.')),
    rows: optional(int64('Number of rows of the result; absent without `run`.', 12)),
    stages: arrayOf(stage)('Stages in the order of work.'),
  }),

  async run({ q: text, params, from, to, run }, needs: Needs) {
    const { queries, engine, clock, caller, remoteIp, userAgent, gone, entry } = needs;
    const constants = constantsOfRange({ from, to });
    const stages = new QueryStages({ clock, hasStatements: isAtLeast(caller.role, 'ADMIN') });
    if (!run) {
      needs.leaveUnrecorded();
      await outlineQuery({ caller, text, params, constants }, { queries, engine, stages, signal: gone });
      return { stages: stages.all };
    }
    const source = sourceOf(caller, userAgent);
    const query = await queries.accept({
      caller,
      source,
      remoteIp,
      text,
      params,
      constants,
      stages,
      background: false,
      keepsRows: false,
    });
    needs.note({ query_id: query.id });
    const record = () => entry.write({ isRepeatable: query.checked.references.isPlainRead });
    for await (const _ of await queries.stream(query, { page: undefined, gone, record }));
    return { id: query.id, rows: Number(query.rowCount), stages: stages.all };
  },
});
