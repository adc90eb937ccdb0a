// A batch whose records are a file already. Offsets of members are rarely asked for then, by rules that look at records as they come:
// the lines are scanned again, and the next orders of the source bring them along.

import { JsonRecords } from '#ingest/decode/line.ts';
import { decodeLines, type LineLimits } from '#ingest/decode/line-decode.ts';
import type { Arrival } from '#ingest/decode/record.ts';
import { BATCH_BYTES } from '#ingest/decode/threads/decode-message.ts';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { BatchFile, Field, LineBatch, LogRecord } from '#logs/log-store.ts';
import { BatchRecords } from '#logs/record-batch.ts';
import { eventLoop } from '#runtime/event-loop.ts';

interface FiledLines {
  readonly bytes: Buffer;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  readonly file: BatchFile;
  /** Told when places are asked for. */
  located(): void;
}

export class FiledBatch implements LineBatch {
  readonly #lines: FiledLines;
  #batch: LineBatch | undefined;

  constructor(lines: FiledLines) {
    this.#lines = lines;
  }

  get count(): number {
    return this.#lines.file.rows;
  }

  get bytes(): Buffer {
    return this.#lines.bytes;
  }

  get file(): BatchFile {
    return this.#lines.file;
  }

  get begins(): Uint32Array {
    return this.#located.begins;
  }

  get ends(): Uint32Array {
    return this.#located.ends;
  }

  get times(): Float64Array {
    return this.#located.times;
  }

  get firstMembers(): Uint32Array {
    return this.#located.firstMembers;
  }

  get memberBegins(): Uint32Array {
    return this.#located.memberBegins;
  }

  get memberValues(): Uint32Array {
    return this.#located.memberValues;
  }

  get memberEnds(): Uint32Array {
    return this.#located.memberEnds;
  }

  get memberFields(): Uint16Array {
    return this.#located.memberFields;
  }

  get fields(): readonly Field[] {
    return this.#located.fields;
  }

  records(from?: number, to?: number): LogRecord[] {
    return this.#located.records(from, to);
  }

  async locate(): Promise<void> {
    this.#batch ??= await eventLoop.runInSlots(this.#scan());
  }

  get #located(): LineBatch {
    this.#batch ??= runToEnd(this.#scan());
    return this.#batch;
  }

  *#scan(): SlicedWork<LineBatch> {
    const { bytes, arrival, limits, located } = this.#lines;
    located();
    const scanner = new LineScanner(arrival.zone);
    const into = new LineBatchBuilder();
    const records = new JsonRecords(arrival, scanner);
    yield* decodeLines(bytes, { records, limits, batchBytes: BATCH_BYTES, into });
    const batch = { ...into.view(), bytes, fields: scanner.fields };
    return { ...batch, records: (from, to) => new BatchRecords().of(batch, from, to) };
  }
}
