// Appends and uploads on their way into tables, by the location that they go to: a move waits for those that began before it.

import type { Location, Staging } from '#logs/log-store.ts';

interface Writer {
  readonly tableId: number;
  readonly location: Location;
  readonly kind: 'append' | 'upload';
}

export class Writers {
  readonly #present = new Map<Writer, Promise<void>>();

  enter(writer: Writer): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#present.set(writer, promise);
    return {
      [Symbol.dispose]: () => {
        this.#present.delete(writer);
        resolve();
      },
    };
  }

  /** Resolves when those that are present now have left. */
  async gone({ tableId, location, kind }: Writer): Promise<void> {
    const isMeant = (one: Writer) => one.tableId === tableId && one.location === location && one.kind === kind;
    await Promise.all([...this.#present].filter(([one]) => isMeant(one)).map(([, left]) => left));
  }

  has({ tableId, location, kind }: Writer): boolean {
    return this.#present
      .keys()
      .some((one) => one.tableId === tableId && one.location === location && one.kind === kind);
  }
}

/** The upload is over when it is committed or discarded. */
export const watched = (staging: Staging, present: Disposable): Staging => ({
  add: (records) => staging.add(records),
  async commit(alongside) {
    using _left = present;
    await staging.commit(alongside);
  },
  async discard() {
    using _left = present;
    await staging.discard();
  },
});
