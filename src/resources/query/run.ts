// GET /query

import type { RefusedAttempts } from '#access/refused-attempts.ts';
import type { Page } from '#engines/plan-run.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, orElse, required, rowNumber } from '#http/params.ts';
import { rowFields, rowsAnswer } from '#http/rows-answer.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { hasSink } from '#queries/plan-nodes.ts';
import { sourceOf } from '#queries/sources.ts';
import type { Plan } from '#query/nodes/plan.ts';

interface Needs extends Call {
  readonly attempts: RefusedAttempts;
  readonly queries: LiveQueries;
  readonly zone: string;
}

const q = { ...anyText, schema: { ...anyText.schema, examples: ['table duration=1h web | stats count by status'] } };

export const run = endpoint({
  title: 'Run query',
  notes:
    'The rows of a query as they come, in one of the formats html, txt, xml, csv, json (one object per line) and ' +
    'json-single; without `format` it is json, or html where `Accept` prefers it. Whoever closes the connection cancels ' +
    'the query. What goes wrong after the first row breaks the answer off before its end.',
  method: 'GET',
  path: '/api/core/query',
  access: 'MEMBER',
  audit: 'query.run',
  params: { q: required(q), offset: orElse(rowNumber, 0), limit: rowNumber, ...rowFields },
  answer: { type: 'object', additionalProperties: true },
  answerType: 'application/x-ndjson',
  answerHeaders: { 'X-Query-Id': 'the id of the query, for its status' },

  async run(input, needs: Needs) {
    const { queries, zone, caller, remoteIp, userAgent, accept, gone, note } = needs;
    const query = await queries.accept({
      caller,
      source: sourceOf(caller, userAgent),
      remoteIp,
      text: input.q,
      background: false,
      keepsRows: false,
    });
    requireOwnOrigin(query.checked.plan, needs);
    note({ query_id: query.id });
    const rows = await queries.stream(query, { page: pageOf(input), gone });
    return rowsAnswer(query, rows, { ...input, accept, zone, headers: { 'x-query-id': String(query.id) } });
  },
});

/** A foreign page can make a browser send a GET with its cookie (CSRF), so such a request may only read. */
function requireOwnOrigin(plan: Plan, { caller, origin, attempts, remoteIp }: Needs): void {
  if (caller.sessionGuid && origin !== 'own' && hasSink(plan)) throw attempts.refuse(remoteIp);
}

/** Undefined for all rows. */
function pageOf({ offset, limit }: { offset: number; limit: number | undefined }): Page | undefined {
  if (offset === 0 && limit === undefined) return undefined;
  return { offset: BigInt(offset), limit: BigInt(limit ?? Number.MAX_SAFE_INTEGER) };
}
