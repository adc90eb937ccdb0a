// GET /lookups/:guid/rows

import type { Caller } from '#access/caller.ts';
import { visibleLookups } from '#access/rights/lookup-rights.ts';
import { notFound } from '#contract/errors.ts';
import { searchKeyword } from '#kernel/text/search-text.ts';
import type { RowText } from '#logs/run.ts';
import { arrayOf, int32, map, record, string } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint, JSON_TYPE } from '#operations/endpoint.ts';
import { int, keywords, oneOf, orElse } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { contentTypeOf, type RowsContext, renderRows } from '#queries/formats/index.ts';
import type { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import type { Db } from '#store/kysely.ts';

const FORMATS = ['json', 'csv'] as const;
const MAX_PAGE = 10_000n;
const PAGE = 1000;

export const rows = endpoint({
  title: 'Read lookup rows',
  notes:
    'The rows in the order of the key, with `format=csv` as CSV whose first line names the columns. A keyword is ' +
    'found in any value. The rows are those of the version that is in force when the call begins. Not audited.',
  method: 'GET',
  path: '/api/core/lookups/:guid/rows',
  access: 'MEMBER',
  params: {
    guid: guidOf('lookup'),
    offset: orElse(int(), 0, 'Number of matches before the page.'),
    limit: orElse(int(0n, MAX_PAGE), PAGE, 'Largest number of matches on the page.'),
    keywords,
    format: orElse(oneOf(FORMATS), 'json', 'Format of the rows.'),
  },
  answer: record({
    total_count: int32('Number of rows that match.', 2),
    columns: arrayOf(string)('Names of the columns.', ['user', 'dept']),
    rows: arrayOf(map)('Rows of the page; a column without a value is absent.', [{ user: 'kim', dept: 'sec' }]),
  }),
  furtherTypes: ['text/csv'],

  async run(input, { db, caller, zone, storedLookups }: Needs) {
    await requireVisible(db, caller, input.guid);
    using held = await storedLookups.hold(input.guid);
    if (!held) throw notFound('lookup', input.guid);
    const { offset, limit, keywords: keyword = '' } = input;
    const { columns, total, texts } = await storedLookups.page(held, {
      offset,
      limit,
      keyword: searchKeyword(keyword),
    });
    const context: RowsContext = {
      columns,
      hasOverflow: false,
      hidden: [],
      zone,
      times: 'seconds',
      total: () => total,
    };
    const text = await joined(renderRows(input.format === 'csv' ? 'csv' : 'json', blocksOf(texts), context));
    if (input.format === 'csv') return new Answer<never>(text, { headers: { 'content-type': contentTypeOf('csv') } });
    const names = JSON.stringify(columns.map(({ name }) => name));
    const list = text.trimEnd().replaceAll('\n', ',');
    const body = `{"total_count":${total},"columns":${names},"rows":[${list}]}`;
    return new Answer<never>(body, { headers: { 'content-type': JSON_TYPE } });
  },
});

interface Needs extends Call {
  readonly zone: string;
  readonly storedLookups: StoredLookups;
}

export async function requireVisible(db: Db, caller: Caller, guid: string): Promise<void> {
  const found = visibleLookups(db.selectFrom('lookups').where('guid', '=', guid), caller, db).select('guid');
  if (!(await found.executeTakeFirst())) throw notFound('lookup', guid);
}

async function* blocksOf(texts: readonly RowText[]): AsyncGenerator<readonly RowText[]> {
  if (texts.length > 0) yield texts;
}

const joined = async (chunks: AsyncIterable<string>): Promise<string> => (await Array.fromAsync(chunks)).join('');
