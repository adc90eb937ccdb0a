// The bytes of a value, for functions that take binary data or text.

import type { Value } from '#query/model/values.ts';

/** Binary as it is, strings as UTF-8; null for any other value. */
export function bytesOf(x: Value): Uint8Array | null {
  if (x instanceof Uint8Array) return x;
  return typeof x === 'string' ? new TextEncoder().encode(x) : null;
}
