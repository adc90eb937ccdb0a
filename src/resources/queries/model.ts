// The schema of the status record of a query.

import { finding, findingsBeside } from '#operations/answers/finding-shapes.ts';
import {
  arrayOf,
  boolean,
  choice,
  epoch,
  int32,
  int64,
  map,
  mapOf,
  optional,
  record,
  stamp,
  string,
} from '#operations/answers/shapes.ts';
import { QUERY_SOURCES } from '#queries/names/sources.ts';

const command = {
  command: string('Normalized text of the command.', 'stats count by status'),
  status: choice(['Waiting', 'Running', 'Finalizing', 'End'])('Status of the command.'),
  push_count: int64('Number of records that the command has passed on.', 120),
};

export const queryRecord = record('Query', {
  id: int32('Id of the query.'),
  source: choice(QUERY_SOURCES)('Origin of the query.'),
  login_name: string('Login name of the account that runs the query.', 'kim'),
  remote_ip: string('Address that the query came from.', '10.0.0.7'),
  rows: int64('Number of rows of the result so far.', 12),
  elapsed: int64('Milliseconds since the run began, until its end.', 350),
  is_finished: boolean('Whether the query has ended.'),
  is_cancelled: boolean('Whether the query is to be cancelled, or was.'),
  is_scheduled_query: boolean('Whether the query is a run of a scheduled query.'),
  constants: map('Parameters of the query, given or set by its text.', { least: 500 }),
  query_string: string('Text of the query as given.', 'table duration=1h web | stats count by status'),
  start_time: epoch('Time when the run began.'),
  finish_time: epoch('Time when the query ended; 0 before its end.'),
  last_started: stamp('Time when the run began.'),
  background: boolean('Whether the query goes on after the end of its session.'),
  commands: arrayOf(record(command))('Commands of the query, in their order.'),
  sub_queries: arrayOf(
    record({
      id: int32('Id of the subquery.'),
      commands: arrayOf(record({ name: int32('Position of the command, from 0.'), ...command }))(
        'Commands of the subquery, in their order.',
      ),
    }),
  )('Queries in brackets, in their order.'),
  stamp: int32('Number that rises with every answer for this query.'),
  tags: mapOf(string)('Values that the client stores with the query.', { page: '1' }),
  error_code: optional(int32('Number of the error; absent where none has occurred.')),
  error_detail: optional(string('Text of the error; absent where none has occurred.', 'there is no table web')),
  cancel_reason: optional(string('Reason of the cancellation; absent where the query was not cancelled.', 'user')),
  warnings: optional(
    arrayOf(string)('Texts of warnings; absent where there are none.', ['warning: field stauts is not known here']),
  ),
  notices: optional(arrayOf(finding)('The same warnings with their places; absent where there are none.')),
  hints: findingsBeside.hints,
  node: optional(string('Name of the node that runs the query; in lists.', 'node1')),
});
