// Get Query Status: GET /queries/:id

import { type Call, endpoint } from '#operations/endpoint.ts';
import { queryId } from '#operations/params/number-params.ts';
import { required } from '#operations/params/params.ts';
import { wait } from '#operations/params/query-params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { QueryWaits } from '#queries/query-waits.ts';
import { queryRecord } from './model.ts';

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly queryWaits: QueryWaits;
}

export const get = endpoint({
  title: 'Get Query Status',
  notes:
    'Of a query of the own account, while it runs and for an hour after its end. `stamp` rises with every answer. ' +
    'A query that failed or was cancelled also has `cancel_reason` and, where they are known, `error_code` and ' +
    '`error_detail`.\n\n' +
    '`source` is `console` for the console and the command line. `error_code` is a number of the query language, ' +
    '`error_detail` its English message; a refusal of the engine is 93000. `cancel_reason` is `UserRequest` after ' +
    'cancel and after removal of the cursor, `NetworkFailure` for a closed connection, `Interrupted` for an ended ' +
    'session (93002) or a stop of the service, `LowDisk` for exhausted memory or disk (93003), `CommandFailure` ' +
    'for other limits. `constants` has the given parameters and those that the text sets outside of subqueries, ' +
    '`_timezone` only where it is set. Ids of subqueries are 403 like a missing query.\n\n' +
    'With `wait` the answer comes at the end of the query, or when the wait is over. More waiting requests than ' +
    '`waits-per-account` are 429 with `Retry-After: 1`.',
  method: 'GET',
  path: '/api/core/queries/:id',
  access: 'MEMBER',
  ownedBy: 'query',
  params: { id: required(queryId, 'Id of the query.'), wait },
  answer: queryRecord,

  async run({ id, wait: seconds }, { queries, queryWaits, caller, gone }: Needs) {
    const awaited = queries.find(id, caller);
    using waiting = queryWaits.open({ userGuid: caller.userGuid, seconds, gone });
    await waiting.until(awaited, () => awaited.isFinished);
    return queries.status(queries.find(id, caller), caller.locale);
  },
});
