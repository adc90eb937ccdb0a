// The units of one transaction and what takes part in it. Every statement that can be is sent before the one ahead of it is answered:
// on a shared database the writers of all nodes wait until the group has ended.

import { allEnded } from '#runtime/all-ended.ts';
import type { Connection, Driver } from '#store/connection.ts';
import type { Open, Outcome, UnitObserver } from './unit.ts';
import { UnitPipeline } from './unit-pipeline.ts';

/** Takes part in every group, in its transaction. */
export interface GroupHook {
  /** Before the first unit: sends what `seal` will have to know, and does not wait for it. */
  begun?(writer: Connection): void;
  /** Called for each unit; observes its statements. */
  unit?(): UnitObserver;
  /** After the last unit; those of all hooks are sent together, so none may rely on what another one writes. */
  seal(writer: Connection): Promise<void>;
  committed(): void;
  rolledBack(): void;
}

/** Units that share a transaction, and what came of them. */
export interface Group {
  readonly units: Unit[];
  readonly outcomes: Outcome[];
}

export interface Unit {
  perform(transaction: Open): Promise<Outcome>;
  settle(outcome: Outcome): void;
}

interface GroupDeps {
  readonly driver: Pick<Driver, 'dialect' | 'sendsAhead'>;
  readonly hooks: readonly GroupHook[];
}

/** All of a group but its commit. */
export async function performGroup(group: Group, writer: Connection, { driver, hooks }: GroupDeps): Promise<void> {
  for (const hook of hooks) hook.begun?.(writer);
  const pipeline = new UnitPipeline(writer, { isEager: driver.sendsAhead });
  group.outcomes.push(...(await performUnits(group.units, { pipeline, hooks, dialect: driver.dialect })));
  // Nothing of a group is under way when it is undone.
  await allEnded([...hooks.map((hook) => hook.seal(writer)), pipeline.sent]);
}

async function performUnits(units: readonly Unit[], open: Open): Promise<Outcome[]> {
  const performed: Promise<Outcome>[] = [];
  try {
    for (const unit of units) {
      const outcome = unit.perform(open);
      outcome.catch((error) => open.pipeline.abandon(error));
      performed.push(outcome);
      await open.pipeline.mayBegin(outcome);
    }
    return await Promise.all(performed);
  } finally {
    await Promise.allSettled(performed);
  }
}
