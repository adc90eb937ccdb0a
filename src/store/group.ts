// The units of one transaction and what takes part in it. Every statement that can be is sent before the one ahead of it is answered:
// on a shared database the writers of all nodes wait until the group has ended.

import { allEnded } from '#kernel/all-ended.ts';
import { ChangedKinds, type ChangeKind } from './changes.ts';
import type { Connection, Driver } from './connection.ts';
import { type Open, type Outcome, openedOver } from './unit.ts';

/** Takes part in every group, in its transaction. */
export interface GroupHook {
  /** Before the first unit: sends what `seal` will have to know, and does not wait for it. */
  begun?(writer: Connection): void;
  /** After the last unit; those of all hooks are sent together, so none may rely on what another one writes. */
  seal(writer: Connection): Promise<void>;
  committed(): void;
  rolledBack(): void;
}

/** Units that share a transaction, and what came of them. */
export interface Group {
  readonly units: Unit[];
  readonly outcomes: Outcome[];
  readonly changed: [ChangeKind, number][];
}

export interface Unit {
  perform(transaction: Open): Promise<Outcome>;
  settle(outcome: Outcome): void;
}

interface GroupDeps {
  readonly driver: Pick<Driver, 'dialect' | 'isShared'>;
  readonly hooks: readonly GroupHook[];
}

/** All of a group but its commit. */
export async function performGroup(group: Group, writer: Connection, { driver, hooks }: GroupDeps): Promise<void> {
  for (const hook of hooks) hook.begun?.(writer);
  const kinds = driver.isShared ? new ChangedKinds() : undefined;
  const open = openedOver(writer, driver.dialect, kinds);
  for (const unit of group.units) {
    const outcome = await unit.perform(open);
    kinds?.unitEnded({ isKept: !('error' in outcome) });
    group.outcomes.push(outcome);
  }
  // Nothing of a group is under way when it is undone.
  await allEnded([...hooks.map((hook) => hook.seal(writer)), raise(kinds, group, writer), open.sent]);
}

async function raise(kinds: ChangedKinds | undefined, { changed }: Group, writer: Connection): Promise<void> {
  if (kinds) changed.push(...(await kinds.raise(writer)));
}
