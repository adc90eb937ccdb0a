// A text for a value that sorts by code point like the value itself (3.4). An engine that cannot order lists and maps
// orders by it.

import type { Value } from '#query/model/values.ts';
import { sortedJson } from './conversions.ts';
import { rankOf } from './order.ts';

/** Begins with the rank of the type, so that values of all types can be compared. */
export const orderKey = (value: Value, zone: string): string => `${rankOf(value)}${contents(value, zone)}`;

function contents(value: Value, zone: string): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint' || typeof value === 'number') return numberKey(value);
  if (typeof value === 'string') return value;
  if (value instanceof Temporal.Instant) return String(value.epochMilliseconds + 1e15).padStart(16, '0');
  if (value instanceof Uint8Array) return value.toHex();
  if (!Array.isArray(value)) return sortedJson(value, zone);
  return value.map((item: Value) => `${closed(orderKey(item, zone))}\0`).join('');
}

/** Escapes a key so that the end of an element sorts before any of its contents. */
const closed = (key: string): string => key.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01');

/** The nearest double, then the distance of a long from it. */
function numberKey(value: bigint | number): string {
  const double = Number(value) || 0; // Maps -0 to 0.
  const rest = typeof value === 'bigint' ? Number(value - BigInt(double)) : 0;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, double);
  const raw = bits.getBigUint64(0);
  const ordered = raw >> 63n ? ~raw & 0xffffffffffffffffn : raw | (1n << 63n);
  return ordered.toString(16).padStart(16, '0') + String(rest + 5000);
}
