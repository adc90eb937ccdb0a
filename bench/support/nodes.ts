// Services of one installation, each in a process of its own: on one PostgreSQL database and one log store, with one master secret.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { launch, type ServerProcess, vigil } from './server-process.ts';
import type { WorkFolder } from './work-folder.ts';

export interface NodesOrder {
  readonly folder: WorkFolder;
  readonly database: string;
  /** The setting `logs`. */
  readonly logs: string;
  readonly count: number;
  /** Settings of all of them by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Nodes extends AsyncDisposable {
  readonly all: readonly ServerProcess[];
  at(index: number): ServerProcess;
}

/** All begin at once and are ready: `n1`, `n2`, … */
export async function startNodes({ folder, database, logs, count, settings = {} }: NodesOrder): Promise<Nodes> {
  const secret = folder.at('master-secret');
  writeFileSync(secret, randomBytes(32), { mode: 0o600 });
  const shared = { logs, 'master-secret-file': secret, ...settings };
  const started = await Promise.allSettled(
    Array.from({ length: count }, async (_, index) => {
      const node = `n${index + 1}`;
      const command = vigil({ folder: folder.at(node), database, settings: { ...shared, node } });
      const args = (port: number) => [
        ...command.args(port),
        '--advertise',
        `http://127.0.0.1:${port}`,
        '--advertise-http',
      ];
      const process = await launch({ ...command, args });
      await process.ready('/readyz');
      return process;
    }),
  );
  const all = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => void (await Promise.all(all.map((process) => process.stop())));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return {
    all,
    at(index) {
      const found = all[index];
      if (!found) throw new Error(`there are ${count} nodes`);
      return found;
    },
    [Symbol.asyncDispose]: stop,
  };
}
