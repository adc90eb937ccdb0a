// How much work one line may take in the thread that reads it. The main thread serves all requests, so a line that takes longer
// there is read again by another thread (reading-threads.ts), where it may take as many steps as its parser and rules allow.

/** Steps of the parser `regex` for a line: about 100 ms. A pattern of thousands of states needs as many for a short line. */
export const MAX_PARSER_STEPS = 1_500_000;

export interface WorkLimit {
  /** Steps of a parser for a line. */
  readonly parserSteps: number;
  /** Steps of one rule, or of a stored pipeline, for a line. */
  readonly ruleSteps: number;
  /** Starts a line. */
  begin(): void;
  /** Call between two parts of the work for a line. Throws WorkTooLong if the rest has to be done by another thread. */
  check(): void;
  /** Call when the steps are spent. Throws WorkTooLong if another thread grants more; otherwise the line cannot be read. */
  exceed(): void;
}

/** The line needs another thread. */
export class WorkTooLong extends Error {}

/** All steps that a line may take, for a thread that serves no requests. */
export const threadLimit = (ruleSteps: number): WorkLimit => ({
  parserSteps: MAX_PARSER_STEPS,
  ruleSteps,
  begin() {},
  check() {},
  exceed() {},
});

/** A step takes up to 80 ns of processor time, so one parser takes 3 ms at most, and one rule 1 ms. */
const MAIN_THREAD_PARSER_STEPS = 30_000;
const MAIN_THREAD_RULE_STEPS = 10_000;
/** Of all parsers and rules of a line, by the clock: on a busy machine more lines go to another thread. */
const MAIN_THREAD_MS = 8;

export class MainThreadLimit implements WorkLimit {
  readonly parserSteps = MAIN_THREAD_PARSER_STEPS;
  readonly ruleSteps: number;
  #begun = performance.now();

  constructor(ruleSteps: number) {
    this.ruleSteps = Math.min(ruleSteps, MAIN_THREAD_RULE_STEPS);
  }

  begin(): void {
    this.#begun = performance.now();
  }

  check(): void {
    if (performance.now() - this.#begun > MAIN_THREAD_MS) throw new WorkTooLong();
  }

  exceed(): void {
    throw new WorkTooLong();
  }
}
