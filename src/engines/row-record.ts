// Values as a record: what a query or a parser has made, on its way into a table.

import type { MapValue, Value } from '#query/model/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { type FieldType, isReserved, type LogRecord, type Shape } from './engine.ts';

type Row = MapValue | readonly (readonly [string, Value])[];

/** As many shapes as are held against a record before it gets one of its own. */
const MAX_KNOWN = 8;
const MAX_KEYS = 1000;

/** Makes records of rows. Those that look alike share a shape, which an engine then looks at once. */
export class RowRecords {
  /** The most recent first. */
  readonly #known: Shape[] = [];
  readonly #keys = new Map<string, string>();

  /** `time` is in epoch milliseconds. What has no value is no field, and our own fields are given anew. */
  of(row: Row, time: number): LogRecord {
    const [recent] = this.#known;
    let isLikeRecent = recent !== undefined;
    let text = '{';
    let count = 0;
    for (const [name, value] of row) {
      const key = value === null ? '' : this.#key(name);
      if (key === '') continue;
      text += (count === 0 ? '' : ',') + key + taggedJson(wholeIfExact(value));
      isLikeRecent &&= recent?.names[count] === name && recent.types[count] === typeOf(value);
      count += 1;
    }
    const shape = recent && isLikeRecent && recent.names.length === count ? recent : this.#shared(shapeOf(row));
    return { time, text: `${text}}`, shape };
  }

  /** As it stands before a value; empty for our own. */
  #key(name: string): string {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = isReserved(name) ? '' : `${taggedJson(name)}:`;
    if (this.#keys.size < MAX_KEYS) this.#keys.set(name, key);
    return key;
  }

  #shared(shape: Shape): Shape {
    const at = this.#known.findIndex((known) => isAlike(known, shape));
    const [known = shape] = at === -1 ? [] : this.#known.splice(at, 1);
    this.#known.unshift(known);
    if (this.#known.length > MAX_KNOWN) this.#known.pop();
    return known;
  }
}

function shapeOf(row: Row): Shape {
  const names: string[] = [];
  const types: FieldType[] = [];
  for (const [name, value] of row) {
    if (value === null || isReserved(name)) continue;
    names.push(name);
    types.push(typeOf(value));
  }
  return { names, types };
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
