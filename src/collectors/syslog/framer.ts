// Splits the bytes of a connection into messages (RFC 6587). A frame is either a line, or an octet count, a blank and as many
// octets. Without configured framing each message is recognised: a number and a blank before a priority is a count, everything
// else a line. A line ends with LF or NUL, which Python's SysLogHandler sends. A frame that is too long is passed on truncated; the rest of it is skipped.

interface FrameSink {
  message(bytes: Buffer, isCut: boolean): void;
  /** Reserves bytes for an incomplete message; false beyond the limit. */
  hold(bytes: number): boolean;
  release(bytes: number): void;
}

export type Framing = 'newline' | 'octet-count';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NUL = 0x00;
const MAX_PARTS = 64;
const COUNT_BEGUN = /^[1-9]\d{0,8} ?$/;
const COUNT = /^([1-9]\d{0,8}) $/;
const COUNT_BEFORE_PRIORITY = /^([1-9]\d{0,8}) <$/;

export class Framer {
  readonly #framing: Framing | undefined;
  readonly #maxBytes: number;
  readonly #sink: FrameSink;
  /** Beginning of a frame, while it may still be a count. */
  #head = '';
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Remaining octets of the frame; undefined for a line. */
  #remaining: number | undefined;
  #state: 'between' | 'inside' | 'skipping' = 'between';
  /** In the present chunk, its end where there is none: a search for each of many messages would read the chunk as often. */
  #lineFeed = 0;

  constructor(framing: Framing | undefined, maxBytes: number, sink: FrameSink) {
    this.#framing = framing;
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  /** False for invalid framing: the bytes are passed on as a message, and the connection must be closed. */
  push(chunk: Buffer): boolean {
    this.#lineFeed = -1;
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

  /** Passes on an incomplete last message. */
  end(): void {
    if (this.#head !== '') this.#hold(Buffer.from(this.#head));
    this.#finish();
  }

  /** Offset at which the frame continues; undefined for invalid framing. */
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
    const end = this.#lineEnd(chunk, from);
    this.#hold(chunk.subarray(from, end));
    if (end < chunk.length) this.#finish();
    return end + 1;
  }

  /** The first LF or NUL, or the end of the chunk. */
  #lineEnd(chunk: Buffer, from: number): number {
    if (this.#lineFeed < from) {
      const found = chunk.indexOf(LINE_FEED, from);
      this.#lineFeed = found === -1 ? chunk.length : found;
    }
    const nul = chunk.subarray(from, this.#lineFeed).indexOf(NUL);
    return nul === -1 ? this.#lineFeed : from + nul;
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

  /** Copies held parts, so that a small part does not keep a large chunk in memory, and joins too many of them. */
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
