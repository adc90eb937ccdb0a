// Rows for the output formats, written as an engine writes them, and what was made of them.

import { type Format, type RowsContext, renderRows } from '#queries/formats/index.ts';
import type { ColumnType } from '#query/model/values.ts';

export interface Result extends Partial<Omit<RowsContext, 'total'>> {
  readonly rows: readonly string[];
  readonly total?: number;
}

export async function written(format: Format, { rows, total = rows.length, ...context }: Result): Promise<string> {
  const chunks = await Array.fromAsync(renderRows(format, blocksOf(rows), contextOf(context, total)));
  // What leaves the service is UTF-8.
  return Buffer.from(chunks.join('')).toString();
}

export const contextOf = (context: Partial<Omit<RowsContext, 'total'>>, total = 0): RowsContext => ({
  columns: [],
  hasOverflow: false,
  hidden: [],
  zone: 'UTC',
  total: () => total,
  ...context,
});

/** In blocks of two, so that no format relies on getting all at once. */
async function* blocksOf(rows: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < rows.length; from += 2) yield rows.slice(from, from + 2);
}

export const column = (name: string, type: ColumnType = 'any') => ({ name, type });

/** Every type, null, and text that each format must escape. */
export const TYPES: Result = {
  columns: [
    column('_time', 'date'),
    column('n', 'long'),
    column('x', 'double'),
    column('ok', 'bool'),
    column('s', 'string'),
    column('l', 'list'),
    column('m', 'map'),
    column('b', 'binary'),
  ],
  rows: [
    String.raw`[1709251200999,9223372036854775807,6.0,true,"a\t\"b\",\n<c>&\\",[1,2.50,{"$date":0}],{"z":null,"10":1,"9":{"$binary":"AQI="}},"AQI="]`,
    '[null,null,null,null,null,null,null,null]',
    '[0,-9223372036854775808,1e-7,false,"",[],{},""]',
  ],
  total: 7,
  zone: 'Asia/Seoul',
};

export const OVERFLOW: Result = {
  columns: [column('a', 'long'), column('b', 'string')],
  hasOverflow: true,
  hidden: ['gone'],
  rows: ['[1,"x",{"é":1,"z":"q","a":5,"gone":2,"nothing":null}]', '[null,"y",null]', '[3,null,{"z":[1.0],"B":true}]'],
};

export const MIXED: Result = {
  columns: [column('v'), column('w')],
  rows: ['[1,null]', '[1.0,2]', '["1",null]', '[{"$date":0},3]', '[{"$binary":"AQI="},null]', '[[],null]', '[{},null]'],
};
