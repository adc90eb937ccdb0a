// Input that is not saved yet. Before something discards it, the reader is asked: leaving its page, closing its dialog,
// loading the console again, signing out.

import { createState, type State } from '#console/client/state.ts';

/** Where a navigation leads. */
export interface Address {
  readonly pathname: string;
  readonly search: Readonly<Record<string, unknown>>;
}

export interface HoldOptions {
  /** Whether the input is still there after a navigation to the address; without it no navigation keeps it. */
  staysAt?(next: Address): boolean;
  /** Called after a navigation by which the reader has discarded the input, if its component is still shown. */
  onDiscarded?(): void;
}

/** The input of one form or editor. */
export interface Hold {
  /** Counts the hold until the returned function is called. */
  show(): () => void;
  /** Whether it holds something that is not saved. */
  set(isUnsaved: boolean): void;
  /** Resolves as `saving` does, after which nothing is unsaved. A navigation meanwhile waits for the outcome. */
  during<T>(saving: Promise<T>): Promise<T>;
  /** Resolves to whether the input may be discarded, after a question if something in it is not saved. */
  mayDiscard(): Promise<boolean>;
}

export interface Holds {
  /** Whether anything would be lost if the tab was closed now. */
  readonly hasUnsaved: State<boolean>;
  create(options: () => HoldOptions): Hold;
  /** Resolves to whether the reader may go to the address; without one, whether everything may be discarded. */
  mayLeave(next?: Address): Promise<boolean>;
  /** Called after a navigation: what the reader has discarded by it closes, if it is still shown. */
  closeDiscarded(): void;
}

interface Held {
  readonly options: () => HoldOptions;
  isUnsaved: boolean;
  isDiscarded: boolean;
  saving: Promise<unknown> | undefined;
}

/** `ask` resolves to whether the reader discards what is not saved. */
export function createHolds(ask: () => Promise<boolean>): Holds {
  const shown = new Set<Held>();
  const hasUnsaved = createState(false);
  const update = () => hasUnsaved.set([...shown].some(({ isUnsaved }) => isUnsaved));
  const put = (one: Held, isUnsaved: boolean) => {
    one.isUnsaved = isUnsaved;
    one.isDiscarded = false;
    update();
  };

  async function mayDiscard(concerned: () => readonly Held[]): Promise<boolean> {
    await Promise.allSettled(concerned().map(({ saving }) => saving));
    const unsaved = concerned().filter(({ isUnsaved }) => isUnsaved);
    if (unsaved.length === 0) return true;
    if (!(await ask())) return false;
    for (const one of unsaved) {
      put(one, false);
      one.isDiscarded = true;
    }
    return true;
  }

  return {
    hasUnsaved,
    create(options) {
      const one: Held = { options, isUnsaved: false, isDiscarded: false, saving: undefined };
      return {
        show() {
          shown.add(one);
          update();
          return () => {
            shown.delete(one);
            update();
          };
        },
        set: (isUnsaved) => put(one, isUnsaved),
        async during(saving) {
          const outcome = saving.then((saved) => {
            put(one, false);
            return saved;
          });
          one.saving = outcome;
          return await outcome.finally(() => {
            one.saving = undefined;
          });
        },
        mayDiscard: () => mayDiscard(() => [one]),
      };
    },
    mayLeave: (next) =>
      mayDiscard(() => [...shown].filter(({ options }) => next === undefined || !options().staysAt?.(next))),
    closeDiscarded() {
      for (const one of [...shown].filter(({ isDiscarded }) => isDiscarded)) {
        one.isDiscarded = false;
        one.options().onDiscarded?.();
      }
    },
  };
}

/** Whether the address is of the page with these values in its address; undefined stands for an absent one. */
export const isAt = ({ pathname, search }: Address, page: string, values: Address['search']): boolean =>
  pathname === page && Object.entries(values).every(([name, value]) => search[name] === value);
