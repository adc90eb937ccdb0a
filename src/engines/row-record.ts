// Values as a record: what a query or a parser has made, on its way into a table.

import { taggedJson } from '#query/dialects/duckdb/tagged-json.ts';
import type { Value } from '#query/values.ts';
import { type FieldType, isReserved, type LogRecord, type Shape } from './engine.ts';

/** As many shapes as are held against a record before it gets one of its own. */
const KNOWN_MOST = 8;
const KEYS_MOST = 1000;

/** Makes records of rows. Those that look alike share a shape, which an engine then looks at once. */
export class RowRecords {
  /** The most recent first. */
  readonly #known: Shape[] = [];
  readonly #keys = new Map<string, string>();

  /** `time` is in epoch milliseconds. What has no value is no field, and our own fields are given anew. */
  of(row: Iterable<readonly [string, Value]>, time: number): LogRecord {
    const names: string[] = [];
    const types: FieldType[] = [];
    const members: string[] = [];
    for (const [name, value] of row) {
      if (value === null || isReserved(name)) continue;
      names.push(name);
      types.push(typeOf(value));
      members.push(this.#key(name) + taggedJson(wholeIfExact(value)));
    }
    return { time, text: `{${members.join(',')}}`, shape: this.#shared({ names, types }) };
  }

  /** As it stands before a value. */
  #key(name: string): string {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = `${taggedJson(name)}:`;
    if (this.#keys.size < KEYS_MOST) this.#keys.set(name, key);
    return key;
  }

  #shared(shape: Shape): Shape {
    const [recent] = this.#known;
    if (recent && isAlike(recent, shape)) return recent;
    const at = this.#known.findIndex((known) => isAlike(known, shape));
    const [known = shape] = at === -1 ? [] : this.#known.splice(at, 1);
    this.#known.unshift(known);
    if (this.#known.length > KNOWN_MOST) this.#known.pop();
    return known;
  }
}

function isAlike(one: Shape, other: Shape): boolean {
  if (one.names.length !== other.names.length) return false;
  for (let at = 0; at < one.names.length; at += 1) {
    if (one.names[at] !== other.names[at] || one.types[at] !== other.types[at]) return false;
  }
  return true;
}

/** JSON does not tell 5.0 from 5, and neither do stored records. */
const wholeIfExact = (value: Value): Value =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

/** As it would be told of the JSON. */
function typeOf(value: Value): FieldType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value !== 'bigint' && typeof value !== 'number') return 'other';
  if (Number.isSafeInteger(Number(value))) return 'long';
  return typeof value === 'number' && !Number.isInteger(value) ? 'double' : 'other';
}
