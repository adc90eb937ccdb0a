// json-single: all rows in one object, followed by their fields, which are known only after the last row.

import { type ColumnType, unified } from '#query/model/values.ts';
import { compareText } from '#query/values/order-text.ts';
import { encodable, objects } from './json.ts';
import { type Blocks, chunked, type Field, knownNames, RowReader, type RowsContext } from './rows.ts';

export async function* jsonSingle(blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const reader = new RowReader(context, { showsNulls: true });
  const types = new FieldTypes(context);
  const objectOf = objects();
  let separator = '';
  yield '{"rows":[';
  for await (const rows of chunked(blocks)) {
    const fields = rows.map((row) => reader.fieldsOf(row));
    for (const row of fields) types.note(row);
    yield encodable(separator + fields.map(objectOf).join(','));
    separator = ',';
  }
  const entries = types.entries();
  const order = JSON.stringify(entries.map(([name]) => name));
  const members = entries.map(([name, type]) => `${JSON.stringify(name)}:"${type}"`);
  yield `],"total":${context.total()},"field_order":${order},"field_types":{${members.join(',')}}}`;
}

/** A column has the type of the plan; where that is `any`, and in an overflow, the values decide. */
class FieldTypes {
  readonly #known: readonly string[];
  readonly #types: Map<string, ColumnType>;

  constructor(context: RowsContext) {
    this.#known = knownNames(context);
    this.#types = new Map(this.#known.map((name) => [name, 'null']));
    for (const { name, type } of context.columns) {
      if (this.#types.has(name) && type !== 'any') this.#types.set(name, type);
    }
  }

  note(fields: readonly Field[]): void {
    for (const { name, type } of fields) this.#types.set(name, unified(this.#types.get(name) ?? 'null', type));
  }

  entries(): [string, ColumnType][] {
    const further = [...this.#types.keys()].slice(this.#known.length).sort(compareText);
    return [...this.#known, ...further].map((name) => [name, this.#types.get(name) ?? 'null']);
  }
}
