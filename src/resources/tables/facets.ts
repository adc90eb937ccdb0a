// POST /tables/:table/facets

import { grantee } from '#access/rights/table-rights.ts';
import { notFound, tooManyItems, wrongDateRange } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { RowText } from '#logs/run.ts';
import { anyJson, arrayOf, boolean, int64, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { alongside, anyText, inQuery, int, meaning, orElse, required, words } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import { RowReader } from '#queries/formats/rows.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { sourceOf } from '#queries/names/sources.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import type { StreamOptions } from '#queries/rows/streamed-rows.ts';
import { timedOut } from '#queries/status/query-ends.ts';
import { joinedText } from '#query/language/joined-text.ts';
import { table } from './params.ts';
import { findTable } from './store.ts';

const MAX_FIELDS = 50;
/** All rows are looked at for so long, then some of them alone, and then the answer has none: 30 s together. */
const WHOLE_TIME = Temporal.Duration.from({ seconds: 22 });
const SAMPLE_TIME = Temporal.Duration.from({ seconds: 8 });
const SAMPLE_ROWS = 50_000;

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly clock: Clock;
}

const fields = meaning(words, { maxItems: MAX_FIELDS }, (names, name) => {
  if (names.length > MAX_FIELDS) throw tooManyItems(name, MAX_FIELDS);
  return [...new Set(names)];
});

const q = { ...anyText, schema: { ...anyText.schema, examples: ['search status == 500'] } };

const to = alongside(required(time), (end, { from }) => {
  if (from instanceof Temporal.Instant && Temporal.Instant.compare(from, end) > 0) throw wrongDateRange();
});

const facet = record('Facet', {
  field: string('Name of the field.', 'status'),
  count: int64('Number of records in which the field has a value.', 1200),
  distinct: int64('Number of different values.', 7),
  values: arrayOf(record({ value: anyJson('The value.', 500), count: int64('Number of records that have it.', 31) }))(
    'Most frequent values, in the order of their counts.',
  ),
});

export const facets = endpoint({
  title: 'Read table facets',
  notes:
    'The most frequent values of fields, counted in one pass over the records of a time range. It is a query of the ' +
    'caller like any other: it counts among its running queries, can be cancelled, and ends when the client has gone. ' +
    'Values are told apart as `stats count by` does, nulls are left out, equal counts are in the order of values. ' +
    'Values longer than 2000 characters are counted and not listed. Positions in errors are those of the text ' +
    '`table <table> | <q>`.\n\n' +
    'After 22 seconds 50000 of the records that `q` lets through are looked at alone, for 8 seconds more; ' +
    '`is_partial` is true then, and `rows` tells how many there were.',
  method: 'POST',
  path: '/api/core/tables/:table/facets',
  access: 'MEMBER',
  audit: 'tables.facets',
  isUnit: false,
  params: {
    table,
    from: inQuery(required(time, 'Earliest time of the records, inclusive.')),
    to: inQuery(described(to, 'Latest time of the records, exclusive.')),
    fields: inQuery(described(fields, 'Fields to look at; where absent the fields that the table is known to have.')),
    limit: inQuery(orElse(int(1n, 100n), 10, 'Largest number of values of each field.')),
    q: inQuery(described(q, 'Commands that look at one record each, such as `search`; all records where absent.')),
  },
  answer: record({
    rows: int64('Number of records that were looked at.', 1200),
    is_partial: boolean('Whether there were more records than could be looked at in time.'),
    facets: arrayOf(facet)('Facets, in the order of `fields`.'),
  }),

  async run(input, needs: Needs) {
    const { db, caller, queries, clock, gone, remoteIp, userAgent } = needs;
    const row = await findTable(db, input.table, grantee(caller));
    if (!row) throw notFound('table', input.table);
    const first = `table ${row.name}`;
    const wanted = { first, rest: input.q, fields: input.fields, limit: input.limit };
    const request: QueryRequest = {
      caller,
      source: sourceOf(caller, userAgent),
      remoteIp,
      text: input.q === undefined ? first : joinedText(first, input.q),
      facets: wanted,
      range: { from: input.from, to: input.to },
      background: false,
      keepsRows: false,
    };
    const whole = await queries.accept(request);
    needs.note({ query_id: whole.id });
    let recorded: Promise<void> | undefined;
    const reading = {
      queries,
      clock,
      gone,
      // One entry, whichever of the two queries gives the answer.
      record: () => {
        recorded ??= needs.entry.write();
        return recorded;
      },
    };
    const texts = await rowsWithin(whole, WHOLE_TIME, reading);
    if (texts) return answerOf(whole, texts, false);
    const sample = await queries.accept({ ...request, facets: { ...wanted, sampleRows: SAMPLE_ROWS } });
    return answerOf(sample, (await rowsWithin(sample, SAMPLE_TIME, reading)) ?? [], true);
  },
});

/** All rows of a query; undefined where they are not there in time, and the query has been ended. */
async function rowsWithin(
  query: LiveQuery,
  most: Temporal.Duration,
  { queries, clock, gone, record }: Pick<Needs, 'queries' | 'clock' | 'gone'> & Pick<StreamOptions, 'record'>,
): Promise<readonly RowText[] | undefined> {
  const over = new AbortController();
  let isLate = false;
  void clock.sleep(most, over.signal).then(() => {
    isLate = !over.signal.aborted;
    if (isLate) query.cancel(timedOut(most));
  });
  try {
    const rows = await queries.stream(query, { page: undefined, gone, record });
    return (await Array.fromAsync(rows)).flat();
  } catch (error) {
    if (!isLate) throw error;
    return undefined;
  } finally {
    over.abort();
  }
}

/** As text: whole numbers of 64 bits keep their digits. */
function answerOf({ outline: { rows, zone } }: LiveQuery, texts: readonly RowText[], isPartial: boolean) {
  const columns = rows.columns.map(({ name, type }) => ({ name, type }));
  const reader = new RowReader({ columns, hasOverflow: false, hidden: [], zone, total: () => texts.length });
  const cells = texts.map((text) => new Map(reader.fieldsOf(text).map(({ name, json }) => [name, json])));
  const [all, ...others] = cells;
  const listed: string[] = [];
  let values: string[] = [];
  for (const row of others) {
    const field = row.get('field');
    const value = row.get('value');
    if (value !== undefined) values.push(`{"value":${value},"count":${row.get('rows')}}`);
    if (field === undefined) continue;
    const counts = `"count":${row.get('count')},"distinct":${row.get('distinct')}`;
    listed.push(`{"field":${field},${counts},"values":[${values.join(',')}]}`);
    values = [];
  }
  const text = `{"rows":${all?.get('count') ?? 0},"is_partial":${isPartial},"facets":[${listed.join(',')}]}`;
  return new Answer<never>(text);
}
