// Rows of a query in the formats of the interface (9.2).

import { csv } from './csv.ts';
import { html, htmlPolicy } from './html.ts';
import { json } from './json.ts';
import { jsonSingle } from './json-single.ts';
import type { Blocks, RowsAbout } from './rows.ts';
import { txt } from './txt.ts';
import { xml } from './xml.ts';

export type { RowsAbout } from './rows.ts';

/** In the order of the complaint about any other. */
export const FORMATS = ['html', 'txt', 'xml', 'csv', 'json', 'json-single'] as const;

export type Format = (typeof FORMATS)[number];

interface Writing {
  readonly contentType: string;
  write(blocks: Blocks, about: RowsAbout): AsyncGenerator<string>;
}

const WRITINGS: Readonly<Record<Format, Writing>> = {
  html: { contentType: 'text/html; charset=utf-8', write: html },
  txt: { contentType: 'text/plain; charset=utf-8', write: txt },
  xml: { contentType: 'application/xml; charset=utf-8', write: xml },
  csv: { contentType: 'text/csv; charset=utf-8', write: csv },
  json: { contentType: 'application/x-ndjson', write: json },
  'json-single': { contentType: 'application/json; charset=utf-8', write: jsonSingle },
};

export const contentTypeOf = (format: Format): string => WRITINGS[format].contentType;

/** What an answer in the format says of itself; a page of foreign values must not be able to do anything. */
export function headersOf(format: Format): Record<string, string> {
  const type = { 'content-type': contentTypeOf(format) };
  return format === 'html' ? { ...type, 'content-security-policy': htmlPolicy() } : type;
}

/** The rows as text, in chunks. Whoever stops early, even before the first row, stops the reading of the rows. */
export async function* rendered(format: Format, blocks: Blocks, about: RowsAbout): AsyncGenerator<string> {
  const reading = blocks[Symbol.asyncIterator]();
  try {
    yield* WRITINGS[format].write({ [Symbol.asyncIterator]: () => reading }, about);
  } finally {
    await reading.return?.();
  }
}
