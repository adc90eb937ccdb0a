// Trials of stream rules in threads of their own, which keep compiled rules for the next trial.

import { testTookTooLong } from '#contract/errors.ts';
import type { BrokenRule } from '#detection/stream/active-rules.ts';
import type { GroupEntry } from '#detection/stream/groups/live-group.ts';
import { markOf } from '#detection/stream/rule-rows.ts';
import { TRIAL_HEAP_MEGABYTES, type TrialThread, TrialThreads } from '#ingest/threads/trial-threads.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { Draft, TrialAnswer, TrialInput, TrialTask } from './trial.ts';

/** Larger results are refused: sending them would block other requests. */
const MAX_ANSWER_CHARACTERS = 64 * 2 ** 20;
/** Maximum of compiled rules in a thread. */
const MAX_COMPILED_RULES = 10_000;
/** Sizes of messages to a thread. */
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

class RuleTrialThread
  extends WorkerThread<TrialInput, void, TrialAnswer>
  implements TrialThread<TrialRequest, TrialOutcome>
{
  readonly #deps: TrialsDeps;
  /** Versions of the rules that it has received. */
  readonly #known = new Set<string>();

  constructor(deps: TrialsDeps) {
    super({
      file: workerFile('./trial-worker.ts', import.meta.url),
      heapMegabytes: TRIAL_HEAP_MEGABYTES,
      keepsProcess: false,
    });
    this.#deps = deps;
  }

  /** A thread that has kept so much of former trials is not used again. */
  override get isReusable(): boolean {
    return super.isReusable && this.#known.size <= MAX_COMPILED_RULES;
  }

  async run(request: TrialRequest, gone: AbortSignal): Promise<TrialOutcome> {
    const results: string[] = [];
    let broken: readonly BrokenRule[] = [];
    let characters = 0;
    const tooLarge = new AbortController();
    const onPart = (answer: TrialAnswer) => {
      if ('broken' in answer) {
        broken = answer.broken;
        return;
      }
      for (const result of answer.results) characters += result.length;
      results.push(...answer.results);
      if (characters > MAX_ANSWER_CHARACTERS) tooLarge.abort(testTookTooLong());
    };
    const either = AbortSignal.any([gone, tooLarge.signal]);
    for (const input of this.#inputs(request, this.#deps)) await this.ask(input, { gone: either, onPart });
    return { results, broken };
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
