// What has bytes.

import type { Value } from '#query/model/values.ts';

/** Bytes as they are, strings as UTF-8; nothing else has bytes. */
export function bytesOf(x: Value): Uint8Array | null {
  if (x instanceof Uint8Array) return x;
  return typeof x === 'string' ? new TextEncoder().encode(x) : null;
}
