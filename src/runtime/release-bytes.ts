// Gives memory outside of the heap back at once. What waits for the garbage collector counts until then, and V8 collects the whole
// heap after every few dozen megabytes of it: pushes spent more time on that than on their records.

/** A view of memory that others see too is left alone. Nobody may read the bytes any more: they have no length afterwards. */
export function releaseBytes({ buffer, byteLength }: ArrayBufferView): void {
  if (byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
