// Messages out of the bytes of a connection (RFC 6587). A frame is either a line, or a number of octets, a blank and as
// many octets. Where the framing is not said it is recognised for each message: a number and a blank before a priority is
// a count, everything else a line. A frame that is too long is told at once as far as it fits; the rest of it is skipped.

export interface FrameSink {
  message(bytes: Buffer, isCut: boolean): void;
  /** Whether so many more bytes may be held for a message that is not complete; they are counted then. */
  hold(bytes: number): boolean;
  release(bytes: number): void;
}

export type Framing = 'newline' | 'octet-count';

const [LINE_FEED, CARRIAGE_RETURN, NUL] = [0x0a, 0x0d, 0x00];
const MAX_PARTS = 64;
const COUNT_BEGUN = /^[1-9]\d{0,8} ?$/;
const COUNT = /^([1-9]\d{0,8}) $/;
const COUNT_BEFORE_PRIORITY = /^([1-9]\d{0,8}) <$/;

export class Framer {
  readonly #framing: Framing | undefined;
  readonly #maxBytes: number;
  readonly #sink: FrameSink;
  /** What a frame begins with, while that may still be a count. */
  #head = '';
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Octets of the frame that are still to come; undefined for a line. */
  #remaining: number | undefined;
  #state: 'between' | 'inside' | 'skipping' = 'between';

  constructor(framing: Framing | undefined, maxBytes: number, sink: FrameSink) {
    this.#framing = framing;
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** False when the bytes are no frames at all: what came is told, and nothing more can be made of the connection. */
  push(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === 'between') {
        const next = this.#begin(chunk, at);
        if (next === undefined) return false;
        at = next;
      } else {
        at = this.#remaining === undefined ? this.#line(chunk, at) : this.#counted(chunk, at, this.#remaining);
      }
    }
    this.#compact();
    return true;
  }

  /** What came of the last message is told. */
  end(): void {
    if (this.#head !== '') this.#hold(Buffer.from(this.#head));
    this.#finish();
  }

  /** Where the frame goes on; undefined where it is none. */
  #begin(chunk: Buffer, from: number): number | undefined {
    if (this.#framing === 'newline') {
      this.#state = 'inside';
      return from;
    }
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const isBlank = byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === NUL;
      // Some senders end counted frames with a line end, too.
      if (this.#head === '' && isBlank) continue;
      this.#head += String.fromCharCode(byte ?? 0);
      const count = (this.#framing === undefined ? COUNT_BEFORE_PRIORITY : COUNT).exec(this.#head)?.[1];
      if (count !== undefined) {
        this.#startFrame(Number(count), '');
        return this.#framing === undefined ? at : at + 1;
      }
      if (COUNT_BEGUN.test(this.#head)) continue;
      const head = this.#head.slice(0, -1);
      if (this.#framing === undefined) {
        this.#startFrame(undefined, head);
        return at;
      }
      this.#startFrame(undefined, head);
      this.#hold(chunk.subarray(at));
      this.#finish();
      return undefined;
    }
    return chunk.length;
  }

  #startFrame(octets: number | undefined, head: string): void {
    this.#state = 'inside';
    this.#remaining = octets;
    this.#head = '';
    this.#hold(Buffer.from(head));
  }

  #line(chunk: Buffer, from: number): number {
    const found = chunk.indexOf(LINE_FEED, from);
    this.#hold(chunk.subarray(from, found === -1 ? chunk.length : found));
    if (found === -1) return chunk.length;
    this.#finish();
    return found + 1;
  }

  #counted(chunk: Buffer, from: number, left: number): number {
    const end = Math.min(chunk.length, from + left);
    this.#hold(chunk.subarray(from, end));
    this.#remaining = left - (end - from);
    if (this.#remaining === 0) this.#finish();
    return end;
  }

  #hold(bytes: Buffer): void {
    if (this.#state === 'skipping' || bytes.length === 0) return;
    const room = this.#maxBytes - this.#heldBytes;
    if (bytes.length <= room && this.#sink.hold(bytes.length)) {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
      return;
    }
    const held = Buffer.concat([...this.#held, bytes.subarray(0, room)]);
    this.#release();
    this.#state = 'skipping';
    this.#sink.message(held, true);
  }

  /** A part of a large chunk must not keep the whole of it in memory, nor may there be more parts than bytes are worth. */
  #compact(): void {
    const last = this.#held.at(-1);
    if (this.#held.length > MAX_PARTS) this.#held = [Buffer.concat(this.#held)];
    else if (last) this.#held[this.#held.length - 1] = Buffer.from(last);
  }

  #finish(): void {
    const held = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    this.#release();
    this.#state = 'between';
    this.#remaining = undefined;
    this.#head = '';
    if (held.length > 0) this.#sink.message(held, false);
  }

  #release(): void {
    this.#sink.release(this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
  }
}
