// Rows of a lookup as lines that DuckDB reads: a tagged JSON list of number, key, characters and values.

import type { LookupLayout } from '#logs/lookup-files.ts';
import { type ColumnType, type MapValue, typeOf, type Value } from '#query/model/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { orderKey } from '#query/values/order-key.ts';

export class LookupLines {
  readonly #layout: LookupLayout;
  /** Of all values of a column so far; `any` where they differ. */
  readonly types: ColumnType[];
  rows = 0;
  size = 0;
  longestBytes = 0;

  constructor(layout: LookupLayout) {
    this.#layout = layout;
    this.types = layout.columns.map(() => 'null');
  }

  textOf(rows: readonly MapValue[]): string {
    return rows.map((row) => this.#line(row)).join('');
  }

  #line(row: MapValue): string {
    const { columns, key, zone } = this.#layout;
    let size = 0;
    const cells = columns.map((name, index) => {
      const value = row.get(name) ?? null;
      this.#learn(value, index);
      const text = taggedJson(value);
      size += value === null ? 0 : text.length;
      return text;
    });
    this.rows += 1;
    this.size += size;
    const line = `[${this.rows},${taggedJson(keyText(row.get(key) ?? null, zone))},${size},${cells.join(',')}]\n`;
    this.longestBytes = Math.max(this.longestBytes, Buffer.byteLength(line));
    return line;
  }

  #learn(value: Value, index: number): void {
    if (value === null) return;
    const type = typeOf(value);
    const known = this.types[index];
    this.types[index] = known === 'null' || known === type ? type : 'any';
  }
}

/** Without the character that texts of DuckDB do not have; the order stays. */
const keyText = (value: Value, zone: string): string =>
  orderKey(value, zone).replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01');
