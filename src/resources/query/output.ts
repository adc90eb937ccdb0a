// Rows of a query in the formats of the interface.

import { toStamp } from '#contract/times.ts';
import type { Fields } from '#engines/engine.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { isRawNumber } from '#kernel/exact-json.ts';

export const FORMATS = ['html', 'txt', 'xml', 'csv', 'json', 'json-single'] as const;

const ROWS_PER_CHUNK = 500;
const FIRST_COLUMNS = ['_table', '_time', '_id'];

export interface Output {
  /** The wanted columns in their order; undefined means all. */
  readonly fields: readonly string[] | undefined;
  readonly zone: string;
}

/** One object per line. Handed out in chunks, so that a long result does not keep others waiting. */
export async function* lines(rows: readonly Fields[], output: Output): AsyncGenerator<string> {
  for (let from = 0; from < rows.length; from += ROWS_PER_CHUNK) {
    const chunk = rows.slice(from, from + ROWS_PER_CHUNK).map((row) => `${JSON.stringify(shown(row, output))}\n`);
    yield chunk.join('');
    await new Promise(setImmediate);
  }
}

/** All rows in one object, with the columns they have. */
export function single(rows: readonly Fields[], total: number, output: Output) {
  const types = typesOf(rows);
  const order = output.fields ?? orderOf(types);
  return {
    rows: rows.map((row) => shown(row, output)),
    total,
    field_order: order,
    field_types: Object.fromEntries(order.map((name) => [name, types.get(name) ?? 'null'])),
  };
}

function shown(row: Fields, { fields, zone }: Output): Fields {
  const { _time } = row;
  const timed = typeof _time === 'number' ? { ...row, _time: stamp(_time, zone) } : row;
  if (!fields) return timed;
  return Object.fromEntries(
    fields.filter((name) => Object.hasOwn(timed, name)).map((name) => [name, timed[name] ?? null]),
  );
}

const stamp = (time: number, zone: string) => toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);

/** The service's own columns first, then the others in the order of their first appearance. */
function orderOf(types: ReadonlyMap<string, string>): string[] {
  const own = FIRST_COLUMNS.filter((name) => types.has(name));
  return [...own, ...[...types.keys()].filter((name) => !own.includes(name))];
}

function typesOf(rows: readonly Fields[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const type = name === '_time' ? 'date' : typeOf(value);
      const known = types.get(name) ?? 'null';
      types.set(name, known === 'null' || known === type ? type : type === 'null' ? known : 'any');
    }
  }
  return types;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isRawNumber(value)) return 'long';
  if (typeof value === 'number') return Number.isInteger(value) ? 'long' : 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'list' : 'map';
}
