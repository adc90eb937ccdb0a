// The question whether unsaved input is discarded. One is open at a time; everything that waits for it gets its answer.

import { createState, type State } from '#console/client/state.ts';

export interface Question {
  readonly isOpen: State<boolean>;
  /** Opens the question; resolves to its answer. */
  ask(): Promise<boolean>;
  answer(isDiscarded: boolean): void;
}

export function createQuestion(): Question {
  const isOpen = createState(false);
  let pending: PromiseWithResolvers<boolean> | undefined;
  return {
    isOpen,
    ask() {
      pending ??= Promise.withResolvers<boolean>();
      isOpen.set(true);
      return pending.promise;
    },
    answer(isDiscarded) {
      isOpen.set(false);
      pending?.resolve(isDiscarded);
      pending = undefined;
    },
  };
}
