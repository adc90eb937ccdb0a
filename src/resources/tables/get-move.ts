// GET /tables/:table/move

import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { LOCATIONS } from '#logs/log-store.ts';
import { findMove, MOVE_STATES, type MoveRow } from '#logs/stores/both/move-catalog.ts';
import { choice, guidText, int32, int64, orNull, record, stamp, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { table } from './params.ts';
import { findTable } from './store.ts';

const moveRecord = record('TableMove', {
  id: guidText('GUID of the move.'),
  from: choice(LOCATIONS)('Where the records were.', 'embedded'),
  to: choice(LOCATIONS)('Where they are to be.', 'clickhouse'),
  state: choice(MOVE_STATES)('State of the move.', 'running'),
  days_done: int32('Number of days that were switched.', 12),
  days_left: int32('Number of days that are still at the old place, as far as the move has looked.', 3),
  rows: int64('Number of records that were moved.', 1200000),
  user_name: string('Login name of the account that began it.', 'admin'),
  started: stamp('Time at which it began.'),
  finished: orNull(stamp)('Time at which it ended; null while it runs.'),
  error: orNull(string)('Why it failed; null otherwise.', 'log store is not reachable: ch1.example.com:8123'),
});

export const getMove = endpoint({
  title: 'Get table move',
  notes: 'The last move of a table, however it ended; null where it was never moved.',
  method: 'GET',
  path: '/api/core/tables/:table/move',
  access: 'ADMIN',
  params: { table },
  answer: record({ move: orNull(moveRecord)('Last move of the table; null where there is none.') }),

  async run({ table: name }, { db, zone }: Call & { zone: string }) {
    const row = await findTable(db, name);
    if (!row) throw notFound('table', name);
    const move = await findMove(db, row.id);
    return { move: move ? recordOf(move, zone) : null };
  },
});

function recordOf(move: MoveRow, zone: string) {
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  const { guid, from_place, to_place, state, days_done, days_left, rows, user_name, error } = move;
  return {
    id: guid,
    from: from_place,
    to: to_place,
    state,
    days_done,
    days_left,
    rows,
    user_name,
    started: stampOf(move.started_at),
    finished: move.finished_at === null ? null : stampOf(move.finished_at),
    error,
  };
}
