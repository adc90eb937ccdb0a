// Trials of stream rules, each in a thread with a timeout of five seconds, so that drafts cannot delay incoming logs. A bounded
// number runs at once, one per account; a thread beyond the timeout is terminated.

import { Worker } from 'node:worker_threads';
import { testTookTooLong, tooManyRequests } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { workerFile } from '#kernel/worker-file.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import type { BrokenRule } from './active-rules.ts';
import type { GroupEntry } from './live-group.ts';
import { markOf } from './rule-rows.ts';
import type { Draft, TrialInput, TrialTask } from './trial.ts';
import type { TrialMessage } from './trial-worker.ts';

const TIMEOUT = Temporal.Duration.from({ seconds: 5 });
const MAX_CONCURRENT = 2;
const MAX_WAITING_PER_ACCOUNT = 4;
const MAX_WAITING = 32;
/** Heap limit of a thread. */
const HEAP_MEGABYTES = 256;
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

interface WaitingTrial {
  readonly account: string;
  readonly begin: () => void;
}

export class Trials {
  readonly #deps: TrialsDeps;
  /** Accounts of running trials. */
  readonly #running: string[] = [];
  readonly #waiting: WaitingTrial[] = [];
  readonly #threads = new Set<TrialThread>();
  #idle: TrialThread | undefined;
  #isClosed = false;

  constructor(deps: TrialsDeps) {
    this.#deps = deps;
  }

  /** Refuses a trial beyond the timeout, and any trial while too many wait. */
  async run(request: TrialRequest): Promise<TrialOutcome> {
    await this.#acquireSlot(request);
    try {
      return await this.#runInThread(request);
    } finally {
      this.#running.splice(this.#running.indexOf(request.account), 1);
      this.#beginNext();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.values().map((thread) => thread.end()));
  }

  async #runInThread(request: TrialRequest): Promise<TrialOutcome> {
    const thread = this.#idle ?? this.#startThread();
    this.#idle = undefined;
    const over = new AbortController();
    // The timeout starts when the thread is ready: loading the language is slow on a busy machine.
    const late = thread.ready.then(() => this.#deps.clock.sleep(TIMEOUT, over.signal)).then(() => 'late' as const);
    const gone = new Promise<'late'>((resolve) => {
      request.signal.addEventListener('abort', () => resolve('late'), { signal: over.signal });
    });
    try {
      const outcome = await Promise.race([thread.run(request, this.#deps), late, gone]);
      if (outcome === 'late') throw testTookTooLong();
      this.#reuseOrEnd(thread);
      return outcome;
    } catch (error) {
      await this.#end(thread);
      throw error;
    } finally {
      over.abort();
    }
  }

  #startThread(): TrialThread {
    const thread = new TrialThread();
    this.#threads.add(thread);
    return thread;
  }

  #reuseOrEnd(thread: TrialThread): void {
    if (this.#idle || this.#isClosed || thread.isFull) void this.#end(thread);
    else this.#idle = thread;
  }

  async #end(thread: TrialThread): Promise<void> {
    this.#threads.delete(thread);
    await thread.end();
  }

  /** Resolves when the account may start a trial. */
  async #acquireSlot({ account, signal }: TrialRequest): Promise<void> {
    if (this.#mayBegin(account)) {
      this.#running.push(account);
      return;
    }
    const ofAccount = this.#waiting.filter((one) => one.account === account).length;
    if (ofAccount >= MAX_WAITING_PER_ACCOUNT || this.#waiting.length >= MAX_WAITING) throw tooManyRequests(1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { account, begin: resolve };
    const leave = () => {
      if (!this.#waiting.includes(waiting)) return;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave);
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #mayBegin(account: string): boolean {
    return this.#running.length < MAX_CONCURRENT && !this.#running.includes(account);
  }

  /** Starts the first waiting trial whose account has none running. */
  #beginNext(): void {
    const next = this.#waiting.find(({ account }) => this.#mayBegin(account));
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.account);
    next.begin();
  }
}

/** Runs one trial after another. */
class TrialThread {
  readonly #worker: Worker;
  /** Versions of the rules that it has received. */
  readonly #known = new Set<string>();
  /** Rejects when the thread exits before. */
  readonly ready: Promise<void>;

  constructor() {
    const file = workerFile('./trial-worker.ts', import.meta.url);
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
    // The pending answer reports the error.
    this.#worker.on('error', () => {});
    this.#worker.unref();
    this.ready = new Promise((resolve, reject) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('exit', () => reject(testTookTooLong()));
    });
    this.ready.catch(() => undefined);
  }

  get isFull(): boolean {
    return this.#known.size > MAX_COMPILED_RULES;
  }

  async run(request: TrialRequest, deps: TrialsDeps): Promise<TrialOutcome> {
    await this.ready;
    const answered = this.#answer();
    // The request may end before the answer is awaited.
    answered.catch(() => undefined);
    for (const piece of this.#inputs(request, deps)) {
      this.#worker.postMessage(piece);
      await eventLoop.nextSlot();
    }
    return await answered;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
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
    const { promise, resolve, reject } = Promise.withResolvers<TrialOutcome>();
    const results: string[] = [];
    let characters = 0;
    const over = new AbortController();
    const listen = (message: TrialMessage) => {
      if (message === 'ready') return;
      if ('failure' in message) reject(new Error(`a trial of stream rules failed: ${message.failure}`));
      else if ('broken' in message) resolve({ results, broken: message.broken });
      else {
        for (const result of message.results) characters += result.length;
        results.push(...message.results);
        if (characters > MAX_ANSWER_CHARACTERS) reject(testTookTooLong());
      }
    };
    // A thread exits by itself only when it runs out of memory.
    const fail = () => reject(testTookTooLong());
    this.#worker.on('message', listen).on('exit', fail);
    over.signal.addEventListener('abort', () => {
      this.#worker.off('message', listen).off('exit', fail);
    });
    return promise.finally(() => over.abort());
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
