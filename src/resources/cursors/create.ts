// POST /cursors

import { findingsBeside } from '#operations/answers/finding-shapes.ts';
import { boolean, int32, int64, optional, record } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { tags } from '#operations/params/json-params.ts';
import { flag, orElse } from '#operations/params/params.ts';
import { params, q, range, readOnly, wait } from '#operations/params/query-params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { sourceOf } from '#queries/names/sources.ts';
import type { QueryWaits } from '#queries/query-waits.ts';
import { constantsOfRange } from '#queries/runs/constants.ts';

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly queryWaits: QueryWaits;
}

export const create = endpoint({
  title: 'Open cursor',
  notes:
    'Begins a query and answers at once, with the warnings about its text and their hints where there are any; its ' +
    'rows are fetched with the id while it runs and afterwards. `params` ' +
    'become constants, which `$("name")` reads as values. With `background=false` the query is cancelled when the ' +
    'session ends. A cursor whose rows would leave less than 5 % of the disk, or 1 GiB where that is less, ends ' +
    'with `LowDisk`. Rows are limited by `query-result` and its like: 93000 `the rows of the query take more than ' +
    '<n> bytes`.\n\n' +
    'With `wait` the answer comes at the end of the query, or when the wait is over, and has `is_finished` and `rows` ' +
    'too; the query goes on after the wait. More waiting requests than `waits-per-account` are 429 with ' +
    '`Retry-After: 1`, and begin no query. `from` and `to` are those of Run query: `_from` in `params` beside `from`, ' +
    "or `_to` beside `to`, is `'<p>' is given twice.`.",
  method: 'POST',
  path: '/api/core/cursors',
  access: 'MEMBER',
  audit: 'cursors.create',
  isUnit: false,
  params: {
    q,
    background: orElse(flag, true, 'Whether the query goes on after the end of the session that began it.'),
    params,
    tags: described(tags, 'Values that the client stores with the query.'),
    ...range,
    wait,
    read_only: readOnly,
  },
  answer: record({
    id: int32('Id of the query.'),
    is_finished: optional(boolean('Whether the query has ended; absent without `wait`.')),
    rows: optional(int64('Number of rows of the result so far; absent without `wait`.', 12)),
    ...findingsBeside,
  }),

  async run({ q: text, from, to, wait: seconds, read_only: isReadOnly, ...input }, needs: Needs) {
    const { queries, queryWaits, caller, remoteIp, userAgent, gone, entry } = needs;
    using waiting = queryWaits.open({ userGuid: caller.userGuid, seconds, gone });
    const source = sourceOf(caller, userAgent);
    const constants = constantsOfRange({ from, to });
    const asked = { ...input, caller, source, remoteIp, text, constants, isReadOnly };
    const query = await queries.accept({ ...asked, keepsRows: true });
    needs.note({ query_id: query.id });
    // The audit entry is durable before the query starts, or counted.
    await entry.write({ isRepeatable: query.checked.references.isPlainRead });
    queries.start(query);
    await waiting.until(query, () => query.isFinished);
    const state = seconds === 0 ? {} : { is_finished: query.isFinished, rows: Number(query.rowCount) };
    return { id: query.id, ...state, ...query.outline.findings(caller.locale) };
  },
});
