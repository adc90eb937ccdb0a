// One unit inside the transaction of its group: its work over a savepoint of its own, and what came of it.

import type { DialectName } from '#store/connection.ts';
import { type Db, kyselyOver, type StatementObserver } from '#store/kysely.ts';
import type { UnitPipeline } from './unit-pipeline.ts';

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Observes the statements of a unit. */
export interface UnitObserver extends StatementObserver {
  /** Called when the unit is kept; a refused one has changed nothing. */
  kept(): void;
}

/** The transaction of a group. */
export interface Open {
  readonly pipeline: UnitPipeline;
  readonly dialect: DialectName;
  readonly hooks: readonly { unit?(): UnitObserver }[];
}

export async function inSavepoint(
  { pipeline, dialect, hooks }: Open,
  work: (db: Db) => Promise<unknown>,
  failed?: (error: unknown) => void,
): Promise<Outcome> {
  const unit = pipeline.begin();
  const observers = hooks.flatMap((hook) => hook.unit?.() ?? []);
  try {
    const value = await work(await kyselyOver(unit.connection, dialect, observers));
    await pipeline.keep(unit);
    for (const observer of observers) observer.kept();
    return { value };
  } catch (error) {
    await pipeline.undo(unit);
    failed?.(error);
    return { error };
  }
}
