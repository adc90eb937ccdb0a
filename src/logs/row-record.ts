// Values as a record: what a query or a parser has made, on its way into a table.

import type { MapValue, Value } from '#query/model/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { type FieldType, isReserved, type LogRecord, type Shape } from './log-store.ts';
import { SharedShapes } from './shared-shapes.ts';

type Row = MapValue | readonly (readonly [string, Value])[];

const MAX_KEYS = 1000;

/** Makes records of rows. Those that look alike share a shape, which an engine then looks at once. */
export class RowRecords {
  readonly #shapes = new SharedShapes();
  readonly #keys = new BoundedMap<string, string>({ max: MAX_KEYS, evicts: 'refuse' });

  /** `time` is in epoch milliseconds. What has no value is no field, and our own fields are given anew. */
  of(given: Row, time: number): LogRecord {
    const row = withStorableNames(given);
    const { recent } = this.#shapes;
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
    const shape = recent && isLikeRecent && recent.names.length === count ? recent : this.#shapes.of(shapeOf(row));
    return { time, text: `${text}}`, shape };
  }

  /** As it stands before a value; empty for our own. */
  #key(name: string): string {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = isReserved(name) ? '' : `${taggedJson(name)}:`;
    this.#keys.set(name, key);
    return key;
  }
}

/** A query can make names with halves of surrogate pairs; its values lose them in `taggedJson`. */
function withStorableNames(row: Row): Row {
  for (const [name] of row) {
    if (!name.isWellFormed()) return new Map([...row].map(([one, value]) => [one.toWellFormed(), value]));
  }
  return row;
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
