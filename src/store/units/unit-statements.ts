// The statements of one unit of a pipeline. Those that it calls for before its turn are sent, and their answers held back; they may be
// sent again.

import type { Connection } from '#store/connection.ts';

export interface PipelineOptions {
  /** Whether a statement may be sent before the one ahead of it is answered. */
  readonly isEager: boolean;
}

/** A statement that was called for before the turn of its unit. */
interface Held {
  send(): void;
  deliver(): void;
  reject(error: unknown): void;
}

export class UnitStatements {
  readonly savepoint: string;
  readonly connection: Connection;
  /** Whether its savepoint and the statements that it has called for are on their way. */
  isSent = false;
  readonly #writer: Connection;
  readonly #turn = handled(Promise.withResolvers<void>());
  readonly #sentAll = Promise.withResolvers<void>();
  readonly #ended = handled(Promise.withResolvers<void>());
  #answered: Promise<void> = Promise.resolve();
  #held: Held[] = [];
  /** Those that are sent with the turn of the unit, behind `#held`: what they are is known only then. */
  #waiting: Held[] = [];
  #hasTurn = false;
  #hasSeveral = false;
  #hasSentAll = false;
  #late: Error | undefined;
  #lost: { readonly error: unknown } | undefined;
  #failures = 0;

  constructor(savepoint: string, writer: Connection, { isEager }: PipelineOptions) {
    this.savepoint = savepoint;
    this.#writer = writer;
    this.connection = {
      all: (sql, values) => this.#send(() => writer.all(sql, values)),
      exec: (sql) => this.#send(() => writer.exec(sql)),
      insertMany: (table, columns, rows) => this.#sendSeveral(() => writer.insertMany(table, columns, rows)),
      updateMany: (table, columns, rows) => this.#sendSeveral(() => writer.updateMany(table, columns, rows)),
      ...(isEager ? { sendsNoMore: () => this.#sendsNoMore() } : {}),
    };
  }

  /** Resolves when all units before it have ended. */
  get turn(): Promise<void> {
    return this.#turn.promise;
  }

  get sentAll(): Promise<void> {
    return this.#sentAll.promise;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** How many of its statements have failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Why a statement was refused that it called for after it had said that it sends no more. */
  get late(): Error | undefined {
    return this.#late;
  }

  /** For the first time, or again. */
  send(before: string): void {
    this.isSent = true;
    this.#answered = this.#writer.exec(`${before}savepoint ${this.savepoint}`);
    // Told by `sent` of the pipeline.
    this.#answered.catch(() => undefined);
    for (const held of this.#held) held.send();
  }

  takeTurn(): void {
    this.#hasTurn = true;
    for (const held of this.#held.splice(0)) held.deliver();
    for (const waiting of this.#waiting.splice(0)) {
      waiting.send();
      waiting.deliver();
    }
    this.#turn.resolve();
  }

  /** Gives the answer to its savepoint. */
  end(): Promise<void> {
    this.#ended.resolve();
    return this.#answered;
  }

  abandon(error: unknown): void {
    this.#lost = { error };
    for (const held of [...this.#held.splice(0), ...this.#waiting.splice(0)]) held.reject(error);
    this.#turn.reject(error);
    this.#ended.reject(error);
  }

  /** What the unit has called for by now may be sent by promises that are already settled: all of these have run by the next tick. */
  #sendsNoMore(): void {
    process.nextTick(() => {
      // Parts of several statements are sent later: the next unit waits for the end of this one.
      if (this.#hasSeveral) return;
      this.#hasSentAll = true;
      this.#sentAll.resolve();
    });
  }

  #send<T>(send: () => Promise<T>): Promise<T> {
    const refusal = this.#refusal();
    if (refusal) return refusal;
    if (this.#hasTurn) return this.#watched(send());
    const { promise, held } = heldBack(send);
    // Behind one that waits for the turn, all do.
    if (this.#waiting.length > 0) this.#waiting.push(held);
    else {
      this.#held.push(held);
      if (this.isSent) held.send();
    }
    return this.#watched(promise);
  }

  /** Several statements, one after another: each is sent when the one before it is answered. */
  #sendSeveral<T>(send: () => Promise<T>): Promise<T> {
    const refusal = this.#refusal();
    if (refusal) return refusal;
    this.#hasSeveral = true;
    if (this.#hasTurn) return this.#watched(send());
    const { promise, held } = heldBack(send);
    this.#waiting.push(held);
    return this.#watched(promise);
  }

  /** Of a statement that is not sent any more. */
  #refusal(): Promise<never> | undefined {
    if (this.#lost) return Promise.reject(this.#lost.error);
    if (!this.#hasSentAll) return undefined;
    this.#late ??= new Error('this unit had said that it sends no more');
    return Promise.reject(this.#late);
  }

  async #watched<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }
}

/** A statement whose answer is that of its last sending, and comes when it is delivered. */
function heldBack<T>(send: () => Promise<T>): { readonly promise: Promise<T>; readonly held: Held } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let answer: Promise<T> | undefined;
  const held: Held = {
    send() {
      answer = send();
      // Read when it is delivered.
      answer.catch(() => undefined);
    },
    deliver: () => void answer?.then(resolve, reject),
    reject,
  };
  return { promise, held };
}

/** A rejection that nobody waits for is no defect. */
function handled(resolvers: PromiseWithResolvers<void>): PromiseWithResolvers<void> {
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
