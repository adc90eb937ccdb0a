// Memory that the main thread and decoding threads share: the lines of an order, and the file that a thread makes of them. It is
// used again and again, because V8 collects all garbage of the process after every few megabytes of new buffers.

/** Of lines and of a file. Untouched pages take no memory. */
export const MAX_SLOT_BYTES = 4 * 1024 * 1024 + 64 * 1024;
const FILE_BYTES = 6 * 1024 * 1024;
/** Those that are kept while no order uses them. */
const MAX_FREE = 4;

export class DecodeSlot {
  readonly memory = new SharedArrayBuffer(MAX_SLOT_BYTES + FILE_BYTES);
  readonly lines = Buffer.from(this.memory, 0, MAX_SLOT_BYTES);
  readonly file = Buffer.from(this.memory, MAX_SLOT_BYTES, FILE_BYTES);
}

export class DecodeSlots {
  #free: DecodeSlot[] = [];

  take(): DecodeSlot {
    return this.#free.pop() ?? new DecodeSlot();
  }

  /** No thread may write to it any more. One that is never released is garbage. */
  release(slot: DecodeSlot): void {
    if (this.#free.length < MAX_FREE) this.#free.push(slot);
  }

  /** For a time without orders. */
  clear(): void {
    this.#free = [];
  }
}

/** The parts of a slot, as a thread sees them. */
export const linesIn = (memory: SharedArrayBuffer, bytes: number): Buffer => Buffer.from(memory, 0, bytes);
export const fileIn = (memory: SharedArrayBuffer): Buffer => Buffer.from(memory, MAX_SLOT_BYTES, FILE_BYTES);
