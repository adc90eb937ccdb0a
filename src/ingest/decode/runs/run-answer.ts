// What a thread answers about the records of a run: a file of them where their columns are known, else their places.

import type { RunAnswer, RunOrder } from '#ingest/decode/threads/decode-message.ts';
import type { RunBuilder } from '#logs/lines/run-builder.ts';
import type { Field } from '#logs/log-store.ts';
import { writeRunFile } from '#logs/parquet/run-file.ts';
import type { KeptMatchers } from './kept-matchers.ts';

/** The records that a builder has gathered. */
export interface GatheredRun {
  readonly into: RunBuilder;
  readonly bytes: Buffer;
  readonly fields: readonly Field[];
  /** Of the list of fields. */
  readonly serial: number;
  readonly matchers: KeptMatchers;
}

/** `target` is the memory for a file of them, where they may become one. */
export function runAnswer(order: RunOrder, gathered: GatheredRun, target: Buffer | undefined): RunAnswer {
  const { known, numbers, leaves, wantsPlaces } = order;
  const { into, bytes, fields, serial, matchers } = gathered;
  const isKnown = known.serial === serial;
  const run = { ...into.view(), bytes, fields };
  const isFiled = isKnown && target && numbers && run.count > 0;
  const matcher = leaves === undefined ? undefined : matchers.for(leaves);
  const file = isFiled ? writeRunFile(run, numbers, target, matcher) : undefined;
  const fieldsFrom = isKnown ? known.count : 0;
  return {
    places: file && !wantsPlaces ? undefined : into.places(),
    file,
    serial,
    fields: fields.slice(fieldsFrom),
    fieldsFrom,
  };
}

/** Copies of places are never shared. */
export const buffersOfPlaces = ({ places }: RunAnswer): ArrayBuffer[] =>
  Object.values(places ?? {}).flatMap((place) => (typeof place === 'number' ? [] : [place.buffer as ArrayBuffer]));

/** Builders that are used again, unless they are large. */
const MAX_BUILDERS = 2;
const MAX_KEPT_MEMBERS = 500_000;

export class KeptBuilders {
  readonly #free: RunBuilder[] = [];

  /** `make` makes one where none is free. */
  take(make: () => RunBuilder): RunBuilder {
    return this.#free.pop() ?? make();
  }

  release(builder: RunBuilder): void {
    const isSmall = builder.view().memberFields.length < MAX_KEPT_MEMBERS;
    if (this.#free.length < MAX_BUILDERS && isSmall) this.#free.push(builder);
  }
}
