// The schema of the status record of a query.

import { arrayOf, boolean, choice, epoch, int32, int64, map, optional, record, stamp, string } from '#http/shapes.ts';
import { QUERY_SOURCES } from '#queries/sources.ts';

const command = {
  command: string,
  status: choice(['Waiting', 'Running', 'Finalizing', 'End']),
  push_count: int64,
};

export const queryRecord = record('Query', {
  id: int32,
  source: choice(QUERY_SOURCES),
  login_name: string,
  remote_ip: string,
  rows: int64,
  elapsed: int64,
  is_finished: boolean,
  is_cancelled: boolean,
  is_scheduled_query: boolean,
  constants: map,
  query_string: string,
  start_time: epoch,
  finish_time: epoch,
  last_started: stamp,
  background: boolean,
  commands: arrayOf(record(command)),
  sub_queries: arrayOf(record({ id: int32, commands: arrayOf(record({ name: int32, ...command })) })),
  stamp: int32,
  tags: map,
  error_code: optional(int32),
  error_detail: optional(string),
  cancel_reason: optional(string),
  warnings: optional(arrayOf(string)),
});
