// A service of its own process behind an address that stays while the process is killed and started again.

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { callerOf, makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { Forwarder } from './forwarder.ts';

type Caller = ReturnType<typeof callerOf>;

export interface KillableService {
  /** Of all its processes, one after another. */
  readonly url: string;
  readonly forwarder: Forwarder;
  readonly keys: string;
  /** Of the process that runs. */
  readonly pid: number;
  start(): Promise<Caller>;
  kill(): Promise<void>;
}

/** For the test that runs: its last process ends with it. It is not started yet. */
export async function killableService(environment: Readonly<Record<string, string>>): Promise<KillableService> {
  const home = makeHome();
  const forwarder = new Forwarder();
  onTestFinished(() => {
    forwarder.close();
    home[Symbol.dispose]();
  });
  let running: VigilProcess | undefined;
  return {
    url: await forwarder.listen(),
    forwarder,
    keys: join(home.folder, 'keys'),
    get pid() {
      return running?.child.pid ?? 0;
    },
    async start() {
      running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, ...environment });
      const url = await running.ready();
      forwarder.to(url);
      return callerOf(url);
    },
    async kill() {
      running?.child.kill('SIGKILL');
      await running?.exited();
    },
  };
}
