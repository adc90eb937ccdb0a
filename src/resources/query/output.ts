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

type Blocks = AsyncIterable<readonly Fields[]>;

/** One object per line. Handed out in chunks, so that a long result does not keep others waiting. */
export async function* lines(blocks: Blocks, output: Output): AsyncGenerator<string> {
  for await (const rows of chunked(blocks)) {
    yield rows.map((row) => `${JSON.stringify(shown(row, output))}\n`).join('');
  }
}

/** All rows in one object, with the columns they have: those are known when the last row has gone by. */
export async function* single(blocks: Blocks, total: number, output: Output): AsyncGenerator<string> {
  const types = new Map<string, string>();
  let separator = '';
  yield '{"rows":[';
  for await (const rows of chunked(blocks)) {
    for (const row of rows) noteTypes(row, types);
    yield separator + rows.map((row) => JSON.stringify(shown(row, output))).join(',');
    separator = ',';
  }
  const order = output.fields ?? orderOf(types);
  const fieldTypes = Object.fromEntries(order.map((name) => [name, types.get(name) ?? 'null']));
  yield `],"total":${total},"field_order":${JSON.stringify(order)},"field_types":${JSON.stringify(fieldTypes)}}`;
}

async function* chunked(blocks: Blocks): AsyncGenerator<readonly Fields[]> {
  for await (const rows of blocks) {
    for (let from = 0; from < rows.length; from += ROWS_PER_CHUNK) {
      yield rows.slice(from, from + ROWS_PER_CHUNK);
      await new Promise(setImmediate);
    }
  }
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

function noteTypes(row: Fields, types: Map<string, string>): void {
  for (const [name, value] of Object.entries(row)) {
    const type = name === '_time' ? 'date' : typeOf(value);
    const known = types.get(name) ?? 'null';
    types.set(name, known === 'null' || known === type ? type : type === 'null' ? known : 'any');
  }
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isRawNumber(value)) return 'long';
  if (typeof value === 'number') return Number.isInteger(value) ? 'long' : 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'list' : 'map';
}
