// The units of one transaction, each in a savepoint, so that it can be undone alone. All other writers wait meanwhile, so a unit that
// sends nothing more lets the next one begin before it is answered. Answers reach a unit when all units before it have ended; where
// one of these is undone, the statements behind it are undone with it, and are sent again. So each unit sees what it would see if it
// had begun after the end of the others.

import type { Connection } from './connection.ts';

/** Savepoints inside of each other: PostgreSQL keeps them all. */
const MAX_SAVEPOINTS = 64;

export interface PipelineOptions {
  /** Whether a statement may be sent before the one ahead of it is answered. */
  readonly isEager: boolean;
}

export class UnitPipeline {
  readonly #writer: Connection;
  readonly #options: PipelineOptions;
  /** In their order; the first one is given its answers. */
  readonly #underWay: UnitStatements[] = [];
  /** Outermost first; those of units that have succeeded, too. */
  #savepoints: string[] = [];
  #begun = 0;
  /** The unit that has begun since the last question whether the next one may. */
  #newest: UnitStatements | undefined;
  /** Answers to savepoints: nobody waits for them one by one. */
  readonly #sent: Promise<void>[] = [];

  constructor(writer: Connection, options: PipelineOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  begin(): UnitStatements {
    this.#begun += 1;
    const unit = new UnitStatements(`unit${this.#begun}`, this.#writer, this.#options);
    const [outermost] = this.#savepoints;
    const isAlone = this.#underWay.length === 0;
    unit.sendSavepoint(isAlone && outermost !== undefined ? `release ${outermost}; ` : '');
    this.#savepoints = isAlone ? [unit.savepoint] : [...this.#savepoints, unit.savepoint];
    this.#underWay.push(unit);
    this.#newest = unit;
    if (isAlone) unit.takeTurn();
    return unit;
  }

  /** Resolves when the next unit may begin. `ended` is the end of the last one. */
  async mayBegin(ended: Promise<unknown>): Promise<void> {
    const sentAll = this.#newest?.sentAll ?? ended;
    this.#newest = undefined;
    await Promise.race([ended, sentAll]);
    if (this.#savepoints.length >= MAX_SAVEPOINTS) await ended;
  }

  /** Resolves when all units that have begun have ended. */
  async ended(): Promise<void> {
    await this.#underWay.at(-1)?.ended;
  }

  /** The unit has done its work. Rejects when one of its statements has failed without its notice. */
  async keep(unit: UnitStatements): Promise<void> {
    await unit.turn;
    // PostgreSQL refuses everything after a failed statement, also where the work takes no notice of it.
    if (unit.failures > 0) {
      await this.#writer.exec(`release ${unit.savepoint}`);
      this.#dropFrom(unit);
    }
    this.#end(unit);
  }

  async undo(unit: UnitStatements): Promise<void> {
    await unit.turn;
    const undone = this.#writer.exec(`rollback to ${unit.savepoint}; release ${unit.savepoint}`);
    this.#dropFrom(unit);
    for (const later of this.#underWay.slice(1)) {
      later.sendAgain();
      this.#savepoints.push(later.savepoint);
    }
    await undone;
    this.#end(unit);
  }

  /** The transaction is lost: no unit waits for its answers any longer. */
  abandon(error: unknown): void {
    for (const unit of this.#underWay.splice(0)) unit.abandon(error);
  }

  /** Rejects when the savepoint of a unit that has ended was refused. */
  get sent(): Promise<unknown> {
    return Promise.all(this.#sent);
  }

  /** A savepoint ends with those inside of it. */
  #dropFrom({ savepoint }: UnitStatements): void {
    this.#savepoints.splice(this.#savepoints.indexOf(savepoint));
  }

  #end(unit: UnitStatements): void {
    this.#underWay.shift();
    this.#sent.push(unit.end());
    this.#underWay[0]?.takeTurn();
  }
}

interface Held {
  send(): void;
  deliver(): void;
  reject(error: unknown): void;
}

/** The statements of one unit. */
export class UnitStatements {
  readonly savepoint: string;
  readonly connection: Connection;
  readonly #writer: Connection;
  readonly #turn = handled(Promise.withResolvers<void>());
  readonly #sentAll = Promise.withResolvers<void>();
  readonly #ended = handled(Promise.withResolvers<void>());
  #answered: Promise<void> = Promise.resolve();
  /** Statements that were sent before the turn of the unit. */
  #held: Held[] = [];
  #hasTurn = false;
  /** Whether a statement waits for the turn of the unit, and so all behind it. */
  #isWaiting = false;
  #hasSentAll = false;
  #failures = 0;

  constructor(savepoint: string, writer: Connection, { isEager }: PipelineOptions) {
    this.savepoint = savepoint;
    this.#writer = writer;
    this.connection = {
      all: (sql, values) => this.#send(() => writer.all(sql, values)),
      exec: (sql) => this.#send(() => writer.exec(sql)),
      // Several statements, one after another.
      insertMany: (table, columns, rows) => this.#sendInTurn(() => writer.insertMany(table, columns, rows)),
      updateMany: (table, columns, rows) => this.#sendInTurn(() => writer.updateMany(table, columns, rows)),
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

  sendSavepoint(before = ''): void {
    this.#answered = this.#writer.exec(`${before}savepoint ${this.savepoint}`);
    // Told by `sent` of the pipeline.
    this.#answered.catch(() => undefined);
  }

  sendAgain(): void {
    this.sendSavepoint();
    for (const held of this.#held) held.send();
  }

  takeTurn(): void {
    this.#hasTurn = true;
    for (const held of this.#held.splice(0)) held.deliver();
    this.#turn.resolve();
  }

  /** Gives the answer to its savepoint. */
  end(): Promise<void> {
    this.#ended.resolve();
    return this.#answered;
  }

  abandon(error: unknown): void {
    for (const held of this.#held.splice(0)) held.reject(error);
    this.#turn.reject(error);
    this.#ended.reject(error);
  }

  /** What the unit has called for by now may be sent by promises that are already settled: all of these have run by the next tick. */
  #sendsNoMore(): void {
    process.nextTick(() => {
      this.#hasSentAll = true;
      this.#sentAll.resolve();
    });
  }

  #send<T>(send: () => Promise<T>): Promise<T> {
    if (this.#hasTurn || this.#isWaiting) return this.#sendInTurn(send);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let answer: Promise<T>;
    const held: Held = {
      send() {
        answer = send();
        // Read when it is delivered.
        answer.catch(() => undefined);
      },
      deliver: () => void answer.then(resolve, reject),
      reject,
    };
    held.send();
    this.#held.push(held);
    return this.#watched(promise);
  }

  #sendInTurn<T>(send: () => Promise<T>): Promise<T> {
    if (this.#hasSentAll) return this.#watched(Promise.reject(new Error('this unit had said that it sends no more')));
    if (this.#hasTurn) return this.#watched(send());
    this.#isWaiting = true;
    return this.#watched(this.#turn.promise.then(send));
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

/** A rejection that nobody waits for is no defect. */
function handled(resolvers: PromiseWithResolvers<void>): PromiseWithResolvers<void> {
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
