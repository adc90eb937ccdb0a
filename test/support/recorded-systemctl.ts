// A systemctl that keeps the state of one service and records what it is called with: what the scripts of a package do where systemd
// runs, tried where it does not.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Scripts take it as the sign that systemd runs. */
const RUNNING_SYSTEMD = '/run/systemd/system';

export interface ServiceState {
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
}

export interface RecordedSystemctl extends Disposable {
  /** PATH with the recording command in front. */
  readonly path: string;
  /** Those since the last time. */
  takeCalls(): readonly string[];
  state(): ServiceState;
  become(state: ServiceState): void;
}

/** `folder` exists. */
export function recordedSystemctl(folder: string): RecordedSystemctl {
  const calls = join(folder, 'calls');
  const file = (name: 'enabled' | 'running') => join(folder, name);
  const mark = (name: 'enabled' | 'running', isSet: boolean) =>
    isSet ? writeFileSync(file(name), '') : rmSync(file(name), { force: true });
  const isOurs = !existsSync(RUNNING_SYSTEMD);
  mkdirSync(RUNNING_SYSTEMD, { recursive: true });
  writeFileSync(calls, '');
  writeFileSync(
    join(folder, 'systemctl'),
    `#!/bin/sh
echo "$*" >>'${calls}'
case "$1" in
  enable) : >'${file('enabled')}' ;;
  is-enabled) [ -e '${file('enabled')}' ] ;;
  restart) : >'${file('running')}' ;;
  stop) rm -f '${file('running')}' ;;
esac
`,
  );
  chmodSync(join(folder, 'systemctl'), 0o755);
  return {
    path: [folder, process.env.PATH].join(delimiter),
    takeCalls() {
      const taken = readFileSync(calls, 'utf8').split('\n').slice(0, -1);
      writeFileSync(calls, '');
      return taken;
    },
    state: () => ({ isEnabled: existsSync(file('enabled')), isRunning: existsSync(file('running')) }),
    become({ isEnabled, isRunning }) {
      mark('enabled', isEnabled);
      mark('running', isRunning);
    },
    [Symbol.dispose]: () => {
      if (isOurs) rmSync(RUNNING_SYSTEMD, { recursive: true });
    },
  };
}
