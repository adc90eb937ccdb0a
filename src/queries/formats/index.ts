// Rows of a query in the formats of the interface (9.2).

import { csv } from './csv.ts';
import { html, htmlPolicy } from './html.ts';
import { json } from './json.ts';
import { jsonSingle } from './json-single.ts';
import type { Blocks, RowsContext } from './rows.ts';
import { txt } from './txt.ts';
import { xml } from './xml.ts';

export type { RowsContext } from './rows.ts';

/** In the order in which the error for an unknown format lists them. */
export const FORMATS = ['html', 'txt', 'xml', 'csv', 'json', 'json-single'] as const;

export type Format = (typeof FORMATS)[number];

interface FormatWriter {
  readonly contentType: string;
  write(blocks: Blocks, context: RowsContext): AsyncGenerator<string>;
}

const WRITERS: Readonly<Record<Format, FormatWriter>> = {
  html: { contentType: 'text/html; charset=utf-8', write: html },
  txt: { contentType: 'text/plain; charset=utf-8', write: txt },
  xml: { contentType: 'application/xml; charset=utf-8', write: xml },
  csv: { contentType: 'text/csv; charset=utf-8', write: csv },
  json: { contentType: 'application/x-ndjson', write: json },
  'json-single': { contentType: 'application/json; charset=utf-8', write: jsonSingle },
};

export const contentTypeOf = (format: Format): string => WRITERS[format].contentType;

/** Response headers of a format. The policy disables everything in a page, because its values are untrusted. */
export function headersOf(format: Format): Record<string, string> {
  const type = { 'content-type': contentTypeOf(format) };
  return format === 'html' ? { ...type, 'content-security-policy': htmlPolicy() } : type;
}

/** The rows as text, in chunks. A consumer that stops early, even before the first row, stops the reading of rows. */
export async function* renderRows(format: Format, blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const reading = blocks[Symbol.asyncIterator]();
  try {
    yield* WRITERS[format].write({ [Symbol.asyncIterator]: () => reading }, context);
  } finally {
    await reading.return?.();
  }
}
