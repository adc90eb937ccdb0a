// One unit inside the transaction of its group: its work over a savepoint of its own, and what came of it.

import type { ChangedKinds } from './changes.ts';
import type { DialectName } from './connection.ts';
import { type Db, kyselyOver } from './kysely.ts';
import type { UnitPipeline } from './unit-pipeline.ts';

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** The transaction of a group. */
export interface Open {
  readonly pipeline: UnitPipeline;
  readonly dialect: DialectName;
  /** Undefined where nobody has to learn of changes. */
  readonly kinds: ChangedKinds | undefined;
}

export async function inSavepoint(
  { pipeline, dialect, kinds }: Open,
  work: (db: Db) => Promise<unknown>,
  failed?: (error: unknown) => void,
): Promise<Outcome> {
  const unit = pipeline.begin();
  const changes = kinds?.ofUnit();
  try {
    const value = await work(await kyselyOver(unit.connection, dialect, changes));
    await pipeline.keep(unit);
    // A refused unit is undone, so that it has changed nothing: others need not look.
    changes?.keep();
    return { value };
  } catch (error) {
    await pipeline.undo(unit);
    failed?.(error);
    return { error };
  }
}
