// The memory that decoded records take until they are stored, about: it counts against the budget of bodies, because a few
// bytes of a body may stand for hundreds of a record with names of its own.

import type { LineBatch, LogRecord, Shape } from '#logs/log-store.ts';

/** Of a record beside its text, of a shape that it does not share, and of each name in that: estimates, the engine's part included. */
const RECORD_BYTES = 200;
const SHAPE_BYTES = 400;
const NAME_BYTES = 150;

export class RecordMemory {
  #shape: Shape | undefined;

  /** What one more record takes. */
  of({ text, shape }: LogRecord): number {
    const isShared = shape === this.#shape;
    this.#shape = shape;
    return RECORD_BYTES + text.length + (isShared ? 0 : SHAPE_BYTES + NAME_BYTES * shape.names.length);
  }
}

/** Records of batches lie in the memory of their body. */
export function recordBytes(parts: readonly (readonly LogRecord[] | LineBatch)[]): number {
  const memory = new RecordMemory();
  let bytes = 0;
  for (const part of parts) if (!('count' in part)) for (const record of part) bytes += memory.of(record);
  return bytes;
}
