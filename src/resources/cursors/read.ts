// GET /cursors/:id

import { FURTHER_ROWS_TYPES, ROWS_TYPE, rowFields, rowsAnswer } from '#operations/answers/rows-answer.ts';
import { lines, map } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { queryId } from '#operations/params/number-params.ts';
import { int, orElse, required, rowNumber } from '#operations/params/params.ts';
import { wait } from '#operations/params/query-params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { QueryWaits } from '#queries/query-waits.ts';

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly queryWaits: QueryWaits;
}

interface AwaitedRows {
  readonly offset: number;
  readonly limit: number;
  readonly wait_rows: number;
}

export const read = endpoint({
  title: 'Read cursor',
  notes:
    'The rows found so far, in the formats of Run query; none where `offset` is beyond them. Rows of `GET /query` ' +
    'are not kept: their id is 403 like a missing one. Rows may outlive the status of their query.\n\n' +
    'With `wait` the answer comes when the query has ended, `wait_rows` rows from `offset` on are there, the page is ' +
    'full, or the wait is over. A query removed meanwhile is 403. More waiting requests than `waits-per-account` are ' +
    '429 with `Retry-After: 1`.',
  method: 'GET',
  path: '/api/core/cursors/:id',
  access: 'MEMBER',
  ownedBy: 'query',
  params: {
    id: required(queryId, 'Id of the query.'),
    offset: orElse(rowNumber, 0, 'Number of rows before the first one.'),
    limit: orElse(rowNumber, 1000, 'Largest number of rows.'),
    ...rowFields,
    wait,
    wait_rows: orElse(int(1n, 1_000_000n), 1, 'Number of rows from `offset` on that end the wait.'),
  },
  answer: lines(map),
  answerType: ROWS_TYPE,
  furtherTypes: FURTHER_ROWS_TYPES,
  answerHeaders: {
    'X-Query-Finished': '`true` where the query had ended before the rows were read, `false` otherwise',
  },

  async run({ wait: seconds, ...input }, { queries, queryWaits, caller, accept, gone }: Needs) {
    const find = () => queries.findCursor(input.id, caller);
    const awaited = find();
    using waiting = queryWaits.open({ userGuid: caller.userGuid, seconds, gone });
    await waiting.until(awaited, () => areThere(awaited, input));
    const query = find();
    const headers = { 'x-query-finished': String(query.isFinished) };
    return rowsAnswer(query, queries.fetch(query, input), { ...input, accept, headers });
  },
});

function areThere({ isFinished, rows }: LiveQuery, { offset, limit, wait_rows }: AwaitedRows): boolean {
  return isFinished || limit === 0 || (rows?.rows ?? 0) >= offset + Math.min(limit, wait_rows);
}
