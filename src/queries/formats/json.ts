// json: one object per line.

import { memoize } from './memoize.ts';
import { type Blocks, chunked, type Field, RowReader, type RowsContext } from './rows.ts';

export async function* json(blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const reader = new RowReader(context, { showsNulls: true });
  const objectOf = objects();
  for await (const rows of chunked(blocks)) {
    yield encodable(rows.map((row) => `${objectOf(reader.fieldsOf(row))}\n`).join(''));
  }
}

/** Writes the objects of one result. */
export function objects(): (fields: readonly Field[]) => string {
  const key = memoize((name) => JSON.stringify(name));
  return (fields) => `{${fields.map(({ name, json }) => `${key(name)}:${json}`).join(',')}}`;
}

/** UTF-8 has no lone surrogates, but JSON has escapes for them; they occur only in strings. */
export const encodable = (text: string): string =>
  text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
