// txt: one row per line, `name=value` separated by tabs. The first `=` without a backslash before it ends the name.

import { memoize } from './memoize.ts';
import { type Blocks, chunked, RowReader, type RowsContext } from './rows.ts';
import { textOf } from './values.ts';

export async function* txt(blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const reader = new RowReader(context);
  const keyOf = memoize((name) => escaped(name).replaceAll('=', '\\='));
  for await (const rows of chunked(blocks)) {
    const lines = rows.map((row) => {
      const pairs = reader.fieldsOf(row).map((field) => `${keyOf(field.name)}=${escaped(textOf(field))}`);
      return `${pairs.join('\t')}\n`;
    });
    yield lines.join('').toWellFormed();
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\\': '\\\\' };

const escaped = (text: string): string =>
  /[\t\n\\]/.test(text) ? text.replace(/[\t\n\\]/g, (character) => ESCAPES[character] ?? character) : text;
