// GET /node-queries

import { arrayOf, boolean, choice, epoch, int32, int64, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { int, long } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { QUERY_SOURCES } from '#queries/names/sources.ts';
import { NODE_QUERIES } from '#queries/remote/node-queries.ts';
import { shownPage } from '#queries/status/shown-queries.ts';

export const list = endpoint({
  title: 'List queries for another node',
  notes:
    'The queries of this node that an account may see, for `system queries` of another one: up to 1,000 with up to 1 MiB of text.',
  method: 'GET',
  path: NODE_QUERIES,
  access: 'MEMBER',
  isBetweenNodes: true,
  params: {
    before: described(int(1n), 'Ids of the listed queries are less; all where absent.'),
    from: described(long, 'Earliest start of the listed queries in epoch milliseconds.'),
    to: described(long, 'Latest start of the listed queries in epoch milliseconds.'),
  },
  answer: record({
    queries: arrayOf(
      record({
        id: int32('Id of the query.'),
        source: choice(QUERY_SOURCES)('Origin of the query.'),
        login_name: string('Login name of the account that runs the query.', 'kim'),
        remote_ip: string('Address that the query came from.', '10.0.0.7'),
        rows: int64('Number of rows of the result so far.', 12),
        elapsed: int64('Milliseconds since the run began, until its end.', 350),
        is_finished: boolean('Whether the query has ended.'),
        is_cancelled: boolean('Whether the query is to be cancelled, or was.'),
        is_scheduled_query: boolean('Whether the query is a run of a scheduled query.'),
        background: boolean('Whether the query goes on after the end of its session.'),
        query_string: string('Text of the query as given.', 'table web'),
        start_time: epoch('Time when the run began.'),
        finish_time: epoch('Time when the query ended; 0 before its end.'),
      }),
    )('The greatest ids first.'),
    before: int32('`before` of the next page; 0 on the last one.'),
  }),

  async run(part, { queries, caller }: Call & { queries: LiveQueries }) {
    return await shownPage(queries.shown(caller, part));
  },
});
