// The units of one transaction, each in a savepoint, so that it can be undone alone. All other writers wait meanwhile, so a unit that
// sends nothing more lets the next one begin before it is answered. Answers reach a unit when all units before it have ended; where
// one of these is undone, the statements behind it are undone with it, and are sent again. So each unit sees what it would see if it
// had begun after the end of the others.

import type { Connection } from '#store/connection.ts';
import { type PipelineOptions, UnitStatements } from './unit-statements.ts';

/** Savepoints inside of each other: PostgreSQL keeps them all. */
const MAX_SAVEPOINTS = 64;

export class UnitPipeline {
  readonly #writer: Connection;
  readonly #options: PipelineOptions;
  /** In their order; the first one is given its answers. */
  readonly #underWay: UnitStatements[] = [];
  /** Outermost first; those of units that have succeeded, too. */
  #savepoints: string[] = [];
  #begun = 0;
  /** How many units are sent at once: one after a refusal, so that many refusals do not send everything behind them each time. */
  #window = MAX_SAVEPOINTS;
  /** The unit that has begun since the last question whether the next one may. */
  #newest: UnitStatements | undefined;
  /** Answers to savepoints: nobody waits for them one by one. */
  readonly #sent: Promise<void>[] = [];
  #lost: { readonly error: unknown } | undefined;

  constructor(writer: Connection, options: PipelineOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  begin(): UnitStatements {
    if (this.#lost) throw this.#lost.error;
    this.#begun += 1;
    const unit = new UnitStatements(`unit${this.#begun}`, this.#writer, this.#options);
    this.#underWay.push(unit);
    this.#newest = unit;
    this.#sendNext();
    if (this.#underWay[0] === unit) unit.takeTurn();
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

  /** The unit has done its work. Rejects when one of its statements was refused or has failed without its notice. */
  async keep(unit: UnitStatements): Promise<void> {
    await unit.turn;
    if (unit.late) throw unit.late;
    if (unit.failures > 0) await this.#requireWhole(unit);
    this.#window = Math.min(2 * this.#window, MAX_SAVEPOINTS);
    this.#end(unit);
  }

  async undo(unit: UnitStatements): Promise<void> {
    await unit.turn;
    const undone = this.#writer.exec(`rollback to ${unit.savepoint}; release ${unit.savepoint}`);
    this.#dropFrom(unit);
    this.#window = 1;
    for (const later of this.#underWay.slice(1)) later.isSent = false;
    await undone;
    this.#end(unit);
  }

  /** The transaction is lost: no unit waits for its answers any longer, and none begins. */
  abandon(error: unknown): void {
    this.#lost ??= { error };
    for (const unit of this.#underWay.splice(0)) unit.abandon(error);
  }

  /** Rejects when the savepoint of a unit that has ended was refused. */
  get sent(): Promise<unknown> {
    return Promise.all(this.#sent);
  }

  /**
   * Also where the work takes no notice of a failed statement, PostgreSQL refuses everything after it, and SQLite may have ended the
   * transaction with it: a new savepoint would begin another one there. On PostgreSQL those of later units are inside of this one.
   */
  async #requireWhole(unit: UnitStatements): Promise<void> {
    if (this.#options.isEager) return await this.#writer.exec('savepoint probe; release probe');
    await this.#writer.exec(`release ${unit.savepoint}`);
    this.#dropFrom(unit);
  }

  /** A savepoint ends with those inside of it. */
  #dropFrom({ savepoint }: UnitStatements): void {
    this.#savepoints.splice(this.#savepoints.indexOf(savepoint));
  }

  #end(unit: UnitStatements): void {
    this.#underWay.shift();
    this.#sent.push(unit.end());
    this.#sendNext();
    this.#underWay[0]?.takeTurn();
  }

  /** Sends units in their order, as many as may be on their way. */
  #sendNext(): void {
    for (const [index, unit] of this.#underWay.slice(0, this.#window).entries()) {
      if (unit.isSent) continue;
      if (index > 0 && this.#savepoints.length >= MAX_SAVEPOINTS) return;
      const [outermost] = this.#savepoints;
      // All units before the first one have ended, and the outermost savepoint has theirs inside.
      unit.send(index === 0 && outermost !== undefined ? `release ${outermost}; ` : '');
      this.#savepoints = index === 0 ? [unit.savepoint] : [...this.#savepoints, unit.savepoint];
    }
  }
}
