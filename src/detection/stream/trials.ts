// Trials of stream rules in threads of their own, which keep compiled rules for the next trial.

import { testTookTooLong } from '#contract/errors.ts';
import { type TrialThread, TrialThreads, TrialWorker } from '#ingest/trial-threads.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { BrokenRule } from './active-rules.ts';
import type { GroupEntry } from './live-group.ts';
import { markOf } from './rule-rows.ts';
import type { Draft, TrialInput, TrialTask } from './trial.ts';
import type { TrialMessage } from './trial-worker.ts';

/** Larger results are refused: sending them would block other requests. */
const MAX_ANSWER_CHARACTERS = 64 * 2 ** 20;
/** Maximum of compiled rules in a thread. */
const MAX_COMPILED_RULES = 10_000;
/** Sizes of messages to a thread between two yields. */
const ENTRIES_PER_TURN = 10_000;
const ROWS_PER_TURN = 200;
const CHARACTERS_PER_TURN = 2 ** 20;

interface TrialRequest {
  /** Account of the request. */
  readonly account: string;
  /** Records as JSON. */
  readonly lines: readonly string[];
  readonly rows: readonly RuleRow[];
  readonly draft: Draft | undefined;
  /** Address groups by GUID; a missing group is empty. */
  readonly groups: ReadonlyMap<string, readonly GroupEntry[]>;
  readonly explainsMisses: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

interface TrialOutcome {
  /** Result of each record, as JSON. */
  readonly results: readonly string[];
  readonly broken: readonly BrokenRule[];
}

interface TrialsDeps extends Pick<TrialTask, 'zone' | 'ruleSteps' | 'lineBytes'> {
  readonly clock: Clock;
}

export class Trials {
  readonly #threads: TrialThreads<TrialRequest, TrialOutcome>;

  constructor(deps: TrialsDeps) {
    this.#threads = new TrialThreads({ clock: deps.clock, start: () => new RuleTrialThread(deps) });
  }

  /** Refuses a trial beyond the timeout, and any trial while too many wait. */
  async run(request: TrialRequest): Promise<TrialOutcome> {
    return await this.#threads.run(request);
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

class RuleTrialThread implements TrialThread<TrialRequest, TrialOutcome> {
  readonly #worker = new TrialWorker(workerFile('./trial-worker.ts', import.meta.url));
  readonly #deps: TrialsDeps;
  /** Versions of the rules that it has received. */
  readonly #known = new Set<string>();

  constructor(deps: TrialsDeps) {
    this.#deps = deps;
  }

  get ready(): Promise<void> {
    return this.#worker.ready;
  }

  get isFull(): boolean {
    return this.#known.size > MAX_COMPILED_RULES;
  }

  async run(request: TrialRequest): Promise<TrialOutcome> {
    await this.ready;
    const answered = this.#answer();
    for (const piece of this.#inputs(request, this.#deps)) {
      this.#worker.send(piece);
      await eventLoop.nextSlot();
    }
    return await answered;
  }

  async end(): Promise<void> {
    await this.#worker.end();
  }

  *#inputs({ rows, groups, lines, draft, explainsMisses }: TrialRequest, deps: TrialsDeps): Generator<TrialInput> {
    const { clock, zone, ruleSteps, lineBytes } = deps;
    const unknown = rows.filter((row) => !this.#known.has(markOf(row)));
    for (const some of inChunksOf(unknown, ROWS_PER_TURN)) yield { rows: some };
    for (const [group, entries] of groups) {
      if (entries.length === 0) yield { group, entries };
      for (const some of inChunksOf(entries, ENTRIES_PER_TURN)) yield { group, entries: some };
    }
    for (const some of byLength(lines)) yield { lines: some };
    const rules = rows.map(markOf);
    for (const mark of rules) this.#known.add(mark);
    const written = draft && { conditions: draft.conditions, user: draft.user };
    const now = clock.now().epochMilliseconds;
    yield { task: { zone, ruleSteps, lineBytes, now, rules, draft: written, explainsMisses } };
  }

  #answer(): Promise<TrialOutcome> {
    const results: string[] = [];
    let characters = 0;
    return this.#worker.answer<TrialMessage, TrialOutcome>((message, { done, failed }) => {
      if ('failure' in message) failed(new Error(`a trial of stream rules failed: ${message.failure}`));
      else if ('broken' in message) done({ results, broken: message.broken });
      else {
        for (const result of message.results) characters += result.length;
        results.push(...message.results);
        if (characters > MAX_ANSWER_CHARACTERS) failed(testTookTooLong());
      }
    });
  }
}

function* inChunksOf<T>(items: readonly T[], most: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += most) yield items.slice(at, at + most);
}

function* byLength(lines: readonly string[]): Generator<readonly string[]> {
  let some: string[] = [];
  let characters = 0;
  for (const line of lines) {
    some.push(line);
    characters += line.length;
    if (characters < CHARACTERS_PER_TURN) continue;
    yield some;
    [some, characters] = [[], 0];
  }
  yield some;
}
