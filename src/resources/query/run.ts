// GET /query

import type { RefusedAttempts } from '#access/limits/refused-attempts.ts';
import type { Page } from '#logs/run.ts';
import { FURTHER_ROWS_TYPES, ROWS_TYPE, rowFields, rowsAnswer } from '#operations/answers/rows-answer.ts';
import { lines, map } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { orElse, rowNumber } from '#operations/params/params.ts';
import { q, range, readOnly } from '#operations/params/query-params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { sourceOf } from '#queries/names/sources.ts';
import { constantsOfRange } from '#queries/runs/constants.ts';
import type { PlanReferences } from '#query/analysis/references.ts';

interface Needs extends Call {
  readonly attempts: RefusedAttempts;
  readonly queries: LiveQueries;
}

export const run = endpoint({
  title: 'Run query',
  notes:
    'The rows of a query as they come, in one of the formats html, txt, xml, csv, json (one object per line) and ' +
    'json-single; without `format` it is json, or html where `Accept` prefers `text/html`. Closing the connection ' +
    'cancels the query. An error after the first row breaks the answer off before its end. A query cancelled ' +
    'before its first row is 500 `query has ended: (93001) cancelled on request`, `(93002) the session ended` or ' +
    '`(93003) memory or disk is exhausted`. More waiting queries than the settings allow are 429 with ' +
    '`Retry-After: 1`.\n\n' +
    '`from` and `to` are the time range of each `table` and `fulltext` that names no time itself, in the text and its ' +
    'subqueries, not in procedures; they are `_from` and `_to` of the run. `from` after `to` is ' +
    '`date range is unacceptable.`.\n\n' +
    'With `read_only` a text that changes something is refused before anything runs, with 92004 at the command: a sink, ' +
    '`memlookup` with op build or drop, `wget` with a method other than get and head, and a procedure that has one of them.\n\n' +
    '`offset` and `limit` are 64-bit integers from 0 up: a negative one is `<p> should be non-negative integer.`, ' +
    'any other value `<p> should be long type.`. `push_count` of a page is that of the whole query. `params`: ' +
    'whole numbers of 64 bits keep their digits; `_from` and `_to` are time text, other names with `_` are 90402. ' +
    'A value under a name that begins with `secret` is shown as `***`. `now()`, and the rights of the caller, are ' +
    'those of the moment of acceptance. Wrong parameters are reported before errors in `q`.\n\n' +
    'Null has no member in txt and xml and is empty in csv and html; json shows it only where the stored record ' +
    'has `null`. A field named twice in `fields` is given once, an unknown one is empty. csv: an empty text is ' +
    '`""`; a row of one null is `""`; formulas are written as they are. Half characters are escaped in json and ' +
    'xml and U+FFFD elsewhere. txt: an equals sign in a name is `\\=`. xml: characters that XML lacks are escapes ' +
    'like `\\u001b` in an element with `escaped="true"`. csv and html of rows with fields beyond the columns are ' +
    'written at the end, and limited to 67,108,864 characters: name the `fields`. `field_types` are those of the ' +
    'plan, or of the values where the plan says `any`. Whole numbers beyond 64 bits keep their digits with the ' +
    'type `double`; numbers too large for a double are null in queries.',
  method: 'GET',
  path: '/api/core/query',
  access: 'MEMBER',
  audit: 'query.run',
  params: {
    q,
    offset: orElse(rowNumber, 0, 'Number of rows before the first one.'),
    limit: described(rowNumber, 'Largest number of rows; all where absent.'),
    ...rowFields,
    ...range,
    read_only: readOnly,
  },
  answer: lines(map),
  answerType: ROWS_TYPE,
  furtherTypes: FURTHER_ROWS_TYPES,
  answerHeaders: {
    'X-Query-Id': 'the id of the query, for its status',
    'X-Query-Warnings': 'the number of warnings; the status has their texts',
  },

  async run(input, needs: Needs) {
    const { queries, caller, remoteIp, userAgent, accept, gone, note, entry } = needs;
    const query = await queries.accept({
      caller,
      source: sourceOf(caller, userAgent),
      remoteIp,
      text: input.q,
      constants: constantsOfRange(input),
      isReadOnly: input.read_only,
      background: false,
      keepsRows: false,
    });
    requireOwnOrigin(query.checked.references, needs);
    note({ query_id: query.id });
    const { isPlainRead: isRepeatable } = query.checked.references;
    const record = () => entry.write({ isRepeatable });
    const rows = await queries.stream(query, { page: pageOf(input), gone, record });
    const headers = { 'x-query-id': String(query.id), 'x-query-warnings': String(query.outline.warnings.length) };
    return rowsAnswer(query, rows, { ...input, accept, headers });
  },
});

/** A foreign page can make a browser send a GET with its cookie (CSRF), so such a request may only read. */
function requireOwnOrigin({ hasSink }: PlanReferences, { caller, origin, attempts, remoteIp }: Needs): void {
  if (caller.sessionGuid && origin !== 'own' && hasSink) throw attempts.refuse(remoteIp);
}

/** Undefined for all rows. */
function pageOf({ offset, limit }: { offset: number; limit: number | undefined }): Page | undefined {
  if (offset === 0 && limit === undefined) return undefined;
  return { offset: BigInt(offset), limit: BigInt(limit ?? Number.MAX_SAFE_INTEGER) };
}
