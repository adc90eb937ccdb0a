// csv: quoting after RFC 4180. An empty text is quoted and null is not, so that an import can tell them apart.

import { withColumnNames } from './columns-first.ts';
import { type Blocks, chunked, RowReader, type RowsContext } from './rows.ts';
import { textOf } from './values.ts';

export async function* csv(blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const { names, rows } = await withColumnNames(blocks, context);
  const reader = new RowReader(context);
  yield lineOf(names);
  for await (const chunk of chunked(rows)) {
    const lines = chunk.map((row) => {
      const values = new Map(reader.fieldsOf(row).map((field) => [field.name, textOf(field)]));
      return lineOf(names.map((name) => values.get(name)));
    });
    yield lines.join('');
  }
}

function lineOf(values: readonly (string | undefined)[]): string {
  const line = values.map((value) => (value === undefined ? '' : quoted(value))).join(',');
  // Readers skip empty lines: a row of a single null would be lost.
  return `${line === '' && values.length > 0 ? '""' : line}\r\n`.toWellFormed();
}

const quoted = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
