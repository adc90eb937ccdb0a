// POST /cursors

import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { findingsBeside } from '#http/finding-shapes.ts';
import { exactMap, tags } from '#http/json-params.ts';
import { anyText, flag, orElse, required } from '#http/params.ts';
import { int32, record } from '#http/shapes.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { sourceOf } from '#queries/sources.ts';

const q = { ...anyText, schema: { ...anyText.schema, examples: ['table duration=1h web | stats count by status'] } };

export const create = endpoint({
  title: 'Open cursor',
  notes:
    'Begins a query and answers at once, with the warnings about its text and their hints where there are any; its ' +
    'rows are fetched with the id while it runs and afterwards. `params` ' +
    'become constants, which `$("name")` reads as values. With `background=false` the query is cancelled when the ' +
    'session ends. A cursor whose rows would leave less than 5 % of the disk, or 1 GiB where that is less, ends ' +
    'with `LowDisk`. Rows are limited by `query-result` and its like: 93000 `the rows of the query take more than ' +
    '<n> bytes`.',
  method: 'POST',
  path: '/api/core/cursors',
  access: 'MEMBER',
  audit: 'cursors.create',
  isUnit: false,
  params: {
    q: required(q, 'Text of the query.'),
    background: orElse(flag, true, 'Whether the query goes on after the end of the session that began it.'),
    params: described(exactMap, 'Parameters that the query reads with `$("name")`.'),
    tags: described(tags, 'Values that the client stores with the query.'),
  },
  answer: record({ id: int32('Id of the query.'), ...findingsBeside }),

  async run({ q: text, ...input }, needs: Call & { queries: LiveQueries }) {
    const { queries, caller, remoteIp, userAgent } = needs;
    const source = sourceOf(caller, userAgent);
    const query = await queries.accept({ ...input, caller, source, remoteIp, text, keepsRows: true });
    needs.note({ query_id: query.id });
    // The audit entry is durable before the query starts.
    needs.afterCommit(async () => queries.start(query));
    return { id: query.id, ...query.outline.findings(caller.locale) };
  },
});
