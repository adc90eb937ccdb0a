// What can be held against each other: a check makes cases of its own and judges each. Tests run a few of them, the long
// run as many as fit into its time.

import fc from 'fast-check';

export interface Check<T = unknown> {
  readonly name: string;
  readonly given: fc.Arbitrary<T>;
  /** What two engines disagree about, with a query to paste; undefined where they agree, SKIPPED where none can be asked. */
  readonly judge: (given: T) => Promise<string | undefined>;
}

/** Cases of different types in one list. */
export type AnyCheck = Pick<Check, 'name'> & { readonly explore: (effort: Effort) => Promise<Outcome> };

interface Effort {
  readonly seed: number;
  readonly runs: number;
  readonly milliseconds?: number;
  /** Called with every case that was judged. */
  readonly judged?: () => void;
}

export interface Outcome {
  readonly runs: number;
  readonly failure?: string;
}

export const SKIPPED = 'skipped';

export const checkOf = <T>({ name, given, judge }: Check<T>): AnyCheck => ({
  name,
  explore: async ({ seed, runs, milliseconds, judged }) => {
    const property = fc.asyncProperty(given, async (one) => {
      const complaint = await judge(one).catch((failure: unknown) => `${fc.stringify(one)}\n${told(failure)}`);
      fc.pre(complaint !== SKIPPED);
      judged?.();
      if (complaint !== undefined) throw new Error(complaint);
    });
    const details = await fc.check(property, {
      seed,
      numRuns: runs,
      maxSkipsPerRun: 50,
      ...(milliseconds === undefined ? {} : { interruptAfterTimeLimit: milliseconds }),
    });
    const { failed, interrupted, numRuns, errorInstance, counterexamplePath } = details;
    if (!failed || (interrupted && !errorInstance)) return { runs: numRuns };
    if (!errorInstance) return { runs: numRuns, failure: `${name}: too many cases could not be asked, seed ${seed}` };
    return { runs: numRuns, failure: `${name}, seed ${seed}, path ${counterexamplePath}\n${messageOf(errorInstance)}` };
  },
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const told = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
