// Trials of stream rules, each in a thread and for five seconds at most: what somebody writes to find out what it does must
// not hold up the logs that arrive. Few run at once, one of each account; a thread that takes too long is ended.

import { Worker } from 'node:worker_threads';
import { testTookTooLong, tooManyRequests } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import type { GroupEntry } from './live-group.ts';
import type { BrokenRule } from './live-set.ts';
import { markOf } from './rule-rows.ts';
import type { Draft, TrialPiece, TrialTask } from './trial.ts';
import type { TrialMessage } from './trial-worker.ts';

const TIMEOUT = Temporal.Duration.from({ seconds: 5 });
const AT_ONCE = 2;
const WAITING_PER_ACCOUNT = 4;
const WAITING_IN_ALL = 32;
/** Of one thread. */
const HEAP_MEGABYTES = 256;
/** Of an answer: what is larger nobody can read, and sending it holds others up. */
const ANSWER_CHARACTERS = 64 * 2 ** 20;
/** Of rules that a thread keeps ready. */
const RULES_KEPT = 10_000;
/** Of what is handed over in one turn. */
const ENTRIES_PER_TURN = 10_000;
const ROWS_PER_TURN = 200;
const CHARACTERS_PER_TURN = 2 ** 20;

export interface TrialRequest {
  /** Whose it is. */
  readonly account: string;
  /** Records as JSON. */
  readonly lines: readonly string[];
  readonly rows: readonly RuleRow[];
  readonly draft: Draft | undefined;
  /** Address groups by GUID; one that does not exist is empty. */
  readonly groups: ReadonlyMap<string, readonly GroupEntry[]>;
  readonly isExplained: boolean;
  /** Aborts when nobody waits for the answer. */
  readonly signal: AbortSignal;
}

export interface TrialOutcome {
  /** Of each record, as JSON. */
  readonly results: readonly string[];
  readonly broken: readonly BrokenRule[];
}

interface TrialsParts extends Pick<TrialTask, 'zone' | 'ruleSteps' | 'lineBytes'> {
  readonly clock: Clock;
}

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
}

export class Trials {
  readonly #parts: TrialsParts;
  /** Accounts of those that run. */
  readonly #running: string[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #threads = new Set<TrialThread>();
  #idle: TrialThread | undefined;
  #isClosed = false;

  constructor(parts: TrialsParts) {
    this.#parts = parts;
  }

  /** Refuses where it takes too long, and where too many wait already. */
  async run(request: TrialRequest): Promise<TrialOutcome> {
    await this.#place(request);
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
    const thread = this.#idle ?? this.#started();
    this.#idle = undefined;
    const over = new AbortController();
    // To load the language takes a thread as long as a busy machine likes, and is nobody's trial.
    const late = thread.ready.then(() => this.#parts.clock.sleep(TIMEOUT, over.signal)).then(() => 'late' as const);
    const gone = new Promise<'late'>((resolve) => {
      request.signal.addEventListener('abort', () => resolve('late'), { signal: over.signal });
    });
    try {
      const outcome = await Promise.race([thread.run(request, this.#parts), late, gone]);
      if (outcome === 'late') throw testTookTooLong();
      this.#keep(thread);
      return outcome;
    } catch (error) {
      await this.#end(thread);
      throw error;
    } finally {
      over.abort();
    }
  }

  #started(): TrialThread {
    const thread = new TrialThread();
    this.#threads.add(thread);
    return thread;
  }

  #keep(thread: TrialThread): void {
    if (this.#idle || this.#isClosed || thread.isFull) void this.#end(thread);
    else this.#idle = thread;
  }

  async #end(thread: TrialThread): Promise<void> {
    this.#threads.delete(thread);
    await thread.end();
  }

  /** Resolves when the account may have a thread. */
  async #place({ account, signal }: TrialRequest): Promise<void> {
    if (this.#mayBegin(account)) {
      this.#running.push(account);
      return;
    }
    const ofAccount = this.#waiting.filter((one) => one.account === account).length;
    if (ofAccount >= WAITING_PER_ACCOUNT || this.#waiting.length >= WAITING_IN_ALL) throw tooManyRequests(1);
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
    return this.#running.length < AT_ONCE && !this.#running.includes(account);
  }

  /** The first that may. */
  #beginNext(): void {
    const next = this.#waiting.find(({ account }) => this.#mayBegin(account));
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.account);
    next.begin();
  }
}

/** One trial after the other. */
class TrialThread {
  readonly #worker: Worker;
  /** Marks of the rules that it was told of. */
  readonly #known = new Set<string>();
  /** Rejects where it ends before. */
  readonly ready: Promise<void>;

  constructor() {
    const file = new URL('./trial-worker.ts', import.meta.url);
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
    // Whoever waits for an answer hears of it.
    this.#worker.on('error', () => {});
    this.#worker.unref();
    this.ready = new Promise((resolve, reject) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('exit', () => reject(testTookTooLong()));
    });
    this.ready.catch(() => undefined);
  }

  get isFull(): boolean {
    return this.#known.size > RULES_KEPT;
  }

  async run(request: TrialRequest, parts: TrialsParts): Promise<TrialOutcome> {
    await this.ready;
    const answered = this.#answer();
    // Whoever asked may have left before it is awaited.
    answered.catch(() => undefined);
    for (const piece of this.#pieces(request, parts)) {
      this.#worker.postMessage(piece);
      await eventLoop.nextSlot();
    }
    return await answered;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  *#pieces({ rows, groups, lines, draft, isExplained }: TrialRequest, parts: TrialsParts): Generator<TrialPiece> {
    const { clock, zone, ruleSteps, lineBytes } = parts;
    const unknown = rows.filter((row) => !this.#known.has(markOf(row)));
    for (const some of inPieces(unknown, ROWS_PER_TURN)) yield { rows: some };
    for (const [group, entries] of groups) {
      if (entries.length === 0) yield { group, entries };
      for (const some of inPieces(entries, ENTRIES_PER_TURN)) yield { group, entries: some };
    }
    for (const some of byLength(lines)) yield { lines: some };
    const rules = rows.map(markOf);
    for (const mark of rules) this.#known.add(mark);
    const written = draft && { conditions: draft.conditions, user: draft.user };
    const now = clock.now().epochMilliseconds;
    yield { task: { zone, ruleSteps, lineBytes, now, rules, draft: written, isExplained } };
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
        if (characters > ANSWER_CHARACTERS) reject(testTookTooLong());
      }
    };
    // A thread ends by itself only for want of memory.
    const fail = () => reject(testTookTooLong());
    this.#worker.on('message', listen).on('exit', fail);
    over.signal.addEventListener('abort', () => {
      this.#worker.off('message', listen).off('exit', fail);
    });
    return promise.finally(() => over.abort());
  }
}

function* inPieces<T>(items: readonly T[], most: number): Generator<readonly T[]> {
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
