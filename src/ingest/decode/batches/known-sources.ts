// What the main thread knows of the fields of sources in a thread: a list of fields is sent once and then grows on both sides.

import type { LineLimits } from '#ingest/decode/line-decode.ts';
import type { Arrival } from '#ingest/decode/record.ts';
import type { BatchAnswer, BatchOrder } from '#ingest/decode/threads/decode-message.ts';
import type { DecodeSlot } from '#ingest/decode/threads/decode-slots.ts';
import type { Field, FileColumns, LineBatch } from '#logs/log-store.ts';
import { BatchRecords } from '#logs/record-batch.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { FiledBatch } from './filed-batch.ts';

/** Sources whose fields are known; a thread knows fewer. */
const MAX_SOURCES = 64;

interface SourceFields {
  readonly serial: number;
  readonly fields: Field[];
  readonly records: BatchRecords;
  /** Whether offsets of a batch with a file were asked for. */
  wantsOffsets: boolean;
}

/** The lines of an order. */
interface AnsweredLines {
  readonly bytes: Buffer;
  readonly arrival: Arrival;
  readonly limits: LineLimits;
  readonly slot?: DecodeSlot | undefined;
  readonly columns?: FileColumns | undefined;
}

export class KnownSources {
  readonly #sources = new BoundedMap<string, SourceFields>({ max: MAX_SOURCES, evicts: 'oldest' });

  /** `columns` are those of the table, where the records may become a file of it. */
  orderFor(source: string, columns: FileColumns | undefined): BatchOrder {
    const { serial = 0, fields = [], wantsOffsets = false } = this.#sources.get(source) ?? {};
    const isKnown = columns && fields.length > 0;
    const filing = isKnown ? { numbers: columns.numbersOf(fields), leaves: columns.leaves } : {};
    return { known: { serial, count: fields.length }, wantsOffsets, ...filing };
  }

  /** All records of batches; undefined where there is none. */
  batchOf(source: string, answer: BatchAnswer, lines: AnsweredLines): LineBatch | undefined {
    const known = this.#learn(source, answer);
    const { bytes, arrival, limits, slot, columns } = lines;
    const { offsets, file } = answer;
    const made = file && slot && columns ? { file: { ...file, bytes: slot.file, columns } } : {};
    if (!offsets) {
      const located = () => {
        known.wantsOffsets = true;
      };
      return made.file && new FiledBatch({ bytes, arrival, limits, located, file: made.file });
    }
    const { fields, records } = known;
    const batch = { ...offsets, bytes, fields };
    return { ...batch, ...made, records: (from, to) => records.of(batch, from, to) };
  }

  #learn(source: string, { serial, fields, fieldsFrom }: BatchAnswer): SourceFields {
    const known = this.#sources.get(source);
    const found =
      known?.serial === serial ? known : { serial, fields: [], records: new BatchRecords(), wantsOffsets: false };
    // Answers to orders that were sent before the last answer repeat some.
    found.fields.push(...fields.slice(found.fields.length - fieldsFrom));
    this.#sources.set(source, found);
    return found;
  }
}
