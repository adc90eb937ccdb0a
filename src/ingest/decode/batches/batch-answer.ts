// What a thread answers about the records of a batch: a file of them where their columns are known, else their offsets.

import type { BatchAnswer, BatchOrder } from '#ingest/decode/threads/decode-message.ts';
import type { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import type { Field } from '#logs/log-store.ts';
import { writeBatchFile } from '#logs/parquet/batch-file.ts';
import type { KeptMatchers } from './kept-matchers.ts';

/** The records that a builder has gathered. */
export interface GatheredBatch {
  readonly into: LineBatchBuilder;
  readonly bytes: Buffer;
  readonly fields: readonly Field[];
  /** Of the list of fields. */
  readonly serial: number;
  readonly matchers: KeptMatchers;
}

/** `target` is the memory for a file of them, where they may become one. */
export function batchAnswer(order: BatchOrder, gathered: GatheredBatch, target: Buffer | undefined): BatchAnswer {
  const { known, numbers, leaves, wantsOffsets } = order;
  const { into, bytes, fields, serial, matchers } = gathered;
  const isKnown = known.serial === serial;
  const batch = { ...into.view(), bytes, fields };
  const isFiled = isKnown && target && numbers && batch.count > 0;
  const matcher = leaves === undefined ? undefined : matchers.for(leaves);
  const file = isFiled ? writeBatchFile(batch, numbers, target, matcher) : undefined;
  const fieldsFrom = isKnown ? known.count : 0;
  return {
    offsets: file && !wantsOffsets ? undefined : into.offsets(),
    file,
    serial,
    fields: fields.slice(fieldsFrom),
    fieldsFrom,
  };
}

/** Copies of offsets are never shared. */
export const buffersOfOffsets = ({ offsets }: BatchAnswer): ArrayBuffer[] =>
  Object.values(offsets ?? {}).flatMap((one) => (typeof one === 'number' ? [] : [one.buffer as ArrayBuffer]));

/** Builders that are used again, unless they are large. */
const MAX_BUILDERS = 2;
const MAX_KEPT_MEMBERS = 500_000;

export class KeptBuilders {
  readonly #free: LineBatchBuilder[] = [];

  /** `make` makes one where none is free. */
  take(make: () => LineBatchBuilder): LineBatchBuilder {
    return this.#free.pop() ?? make();
  }

  release(builder: LineBatchBuilder): void {
    const isSmall = builder.view().memberFields.length < MAX_KEPT_MEMBERS;
    if (this.#free.length < MAX_BUILDERS && isSmall) this.#free.push(builder);
  }
}
