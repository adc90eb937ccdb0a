// A standby waits with the data folder of another node until the lock of that folder is free, and then starts in its place. On a
// shared database it is listed under its own name meanwhile.

import type { ServiceLog } from '#app/service-log.ts';
import { registerStandby } from '#cluster/members/membership.ts';
import { FIRST_NODE } from '#contract/values.ts';
import { type FolderLock, lockFolder } from '#files/folder-lock.ts';
import { hostNodeName, keptNodeName } from '#files/node-name.ts';
import type { ServiceState } from '#http/server.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';
import { openStore, type StoreObserver } from '#store/store.ts';
import { describedNode, type NodeConfig } from './own-node.ts';

/** Between two tries to lock the folder. */
const PAUSE = Temporal.Duration.from({ seconds: 1 });

/** The service was asked to stop while it stood by. */
export class StandbyEnded extends Error {
  override readonly name = 'StandbyEnded';

  constructor() {
    super('the standby was stopped');
  }
}

export interface StandbyParts {
  readonly clock: Clock;
  readonly observer: StoreObserver;
  readonly address?: () => string;
  /** Called while another node keeps the logs, with its name. */
  readonly standingBy?: (keeper: string) => void;
  /** Called when the folder is its own. */
  readonly takenOver?: () => void;
  /** Aborted when the service is to stop. */
  readonly stopping?: AbortSignal | undefined;
}

type StandbyConfig = NodeConfig & Partial<Pick<Config, 'database' | 'standby'>>;

/** The lock of the data folder; a standby waits for it, any other process is refused while it is held. */
export async function lockOrStandBy(config: StandbyConfig, parts: StandbyParts): Promise<FolderLock> {
  if (!config.standby) return lockFolder(config.data);
  const lock = tryLock(config.data) ?? (await waitForLock(config, parts));
  parts.takenOver?.();
  return lock;
}

async function waitForLock(config: StandbyConfig, parts: StandbyParts): Promise<FolderLock> {
  await using _listed = await listed(config, parts);
  for (;;) {
    parts.standingBy?.(keptNodeName(config.data) ?? FIRST_NODE);
    await parts.clock.sleep(PAUSE, parts.stopping);
    if (parts.stopping?.aborted) throw new StandbyEnded();
    const lock = tryLock(config.data);
    if (lock) return lock;
  }
}

function tryLock(folder: string): FolderLock | undefined {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof UsageError && error.code === 'data-folder-in-use') return undefined;
    throw error;
  }
}

/** On a database file, which its keeper has locked, a standby is not listed. */
async function listed(config: StandbyConfig, { clock, observer, address }: StandbyParts): Promise<AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  if (config.database === undefined) return stack;
  const store = await openStore(config.database, observer);
  stack.defer(() => store.close());
  const node = describedNode(config, config.node ?? hostNodeName(), address?.());
  const registered = await registerStandby(store, node, clock);
  if (registered) stack.use(registered);
  else await stack.disposeAsync();
  if (!registered) throw new UsageError('node-name-in-use', { name: node.name });
  return stack;
}

export interface StandbyOptions {
  /** Ends a standby that still waits, with StandbyEnded. */
  readonly standbyStopping?: AbortSignal;
  /** Called when it waits no more and starts. */
  readonly standbyOver?: () => void;
}

export interface Standby {
  readonly standby: Pick<StandbyParts, 'standingBy' | 'takenOver' | 'stopping'>;
}

/** Shows in the state of the service that it stands by. */
export const standbyOf = (
  service: { state: ServiceState },
  { standbyStopping, standbyOver, log }: StandbyOptions & { readonly log?: ServiceLog },
): Standby => ({
  standby: {
    stopping: standbyStopping,
    standingBy(keeper) {
      if (typeof service.state !== 'object') log?.info({ keeper }, 'standing by: another node keeps the logs');
      service.state = { keeper };
    },
    takenOver() {
      service.state = 'starting';
      standbyOver?.();
    },
  },
});
