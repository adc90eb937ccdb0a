// Rows of a query as a table for people: aligned, with values cut to what fits.

import type { Client } from '#cli/kit/client.ts';
import { cellsOf, columns, cut, printable } from '#cli/kit/output/text-table.ts';
import { asWritten, type TimeText, timeTextFor } from '#cli/kit/output/time-text.ts';

const ROWS_PER_PAGE = 1000;
const MAX_CELLS = 60;
const MIN_CELLS = 8;
const GAP = 2;
const NUMERIC = ['long', 'double'];
const WHOLE = [...NUMERIC, 'date', 'bool'];

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly field_order: readonly string[];
  readonly field_types: Readonly<Record<string, string>>;
}

interface Extent {
  readonly id: number;
  readonly rows: number;
  /** Cells of the terminal; undefined without one. */
  readonly width: number | undefined;
}

export const tableText = (client: Client, extent: Extent): AsyncGenerator<string> =>
  textOfPages(tablePages(client, extent));

/** Columns are as wide as the values of their page; the line of names is repeated where the columns change. */
export async function* textOfPages(pages: AsyncIterable<TablePage>): AsyncGenerator<string> {
  let named = '';
  for await (const { names, head, lines } of pages) {
    yield `${(names === named ? lines : [head, ...lines]).join('\n')}\n`;
    named = names;
  }
}

/** Some rows of a table, aligned among themselves. */
export interface TablePage {
  /** Equal for equal columns. */
  readonly names: string;
  /** The line of the names of the columns. */
  readonly head: string;
  readonly lines: readonly string[];
}

export async function* tablePages(client: Client, { id, rows, width }: Extent): AsyncGenerator<TablePage> {
  let timeText: TimeText | undefined;
  for (let offset = 0; offset < rows; offset += ROWS_PER_PAGE) {
    const limit = Math.min(ROWS_PER_PAGE, rows - offset);
    const page = await pageOf(client, { id, offset, limit });
    if (Object.values(page.field_types).includes('date')) timeText ??= await timeTextFor(client, { flags: {} });
    const [head = '', ...lines] = linesOf(page, width, timeText);
    yield { names: JSON.stringify(page.field_order), head, lines };
  }
}

async function pageOf(client: Client, page: { id: number; offset: number; limit: number }): Promise<Page> {
  const query = { format: 'json-single', times: 'millis', ...page } as const;
  return await client.readExactly(await client.ask('GET /api/core/cursors/:id', query));
}

/** The first line has the names. */
export function linesOf(
  { rows, field_order, field_types }: Page,
  width: number | undefined,
  timeText: TimeText = asWritten,
): string[] {
  const ofDate = new Set(field_order.filter((name) => field_types[name] === 'date'));
  const cellOf = (row: Page['rows'][number], name: string): string => {
    const text = textOf(Object.hasOwn(row, name) ? row[name] : undefined);
    return ofDate.has(name) ? timeText(text) : text;
  };
  const cells = [
    field_order.map((name) => shownText(name)),
    ...rows.map((row) => field_order.map((name) => cellOf(row, name))),
  ];
  const widths = field_order.map((_, index) => Math.max(...cells.map((row) => cellsOf(row[index] ?? ''))));
  const types = field_order.map((name) => field_types[name] ?? '');
  const most = mostCells(widths, types, width);
  return columns(
    cells.map((row) => row.map((cell, index) => cut(cell, most[index] ?? MAX_CELLS))),
    types.map((type) => NUMERIC.includes(type)),
  );
}

/** The widest columns are cut first, until all fit or reach the minimum. Numbers and times are never cut. */
function mostCells(widths: readonly number[], types: readonly string[], width = Number.POSITIVE_INFINITY): number[] {
  const within = (most: number) =>
    widths.map((cells, index) => (WHOLE.includes(types[index] ?? '') ? cells : Math.min(cells, most)));
  const used = (most: number) => within(most).reduce((sum, cells) => sum + cells + GAP, -GAP);
  let most = MAX_CELLS;
  while (most > MIN_CELLS && used(most) > width) most -= 1;
  return within(most);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return shownText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Longer text is cut in any case, and is not measured. */
const shownText = (text: string): string =>
  printable(text.length > MAX_CELLS * 4 ? text.slice(0, MAX_CELLS * 4) : text);
