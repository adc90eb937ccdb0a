// Processes with a network of their own on Linux: each in a namespace, all on one bridge, from which one can be taken off. Then
// its packets vanish, as behind a broken switch, and nothing on either side is told. It takes the rights of root.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

export interface NamedNetwork {
  readonly address: string;
  /** The program with arguments that starts a process there. */
  readonly command: readonly string[];
  cut(isCut: boolean): void;
}

export interface Networks extends Disposable {
  /** Of this machine, as the namespaces reach it. */
  readonly address: string;
  add(): NamedNetwork;
}

/** Why there can be no namespaces; empty where there can. */
export function namespacesMissing(): string {
  const tried = spawnSync('unshare', ['--net', 'ip', 'link', 'add', 'tried', 'type', 'veth', 'peer', 'name', 'other']);
  return tried.status === 0 ? '' : `no network namespaces: ${tried.error?.message ?? tried.stderr}`;
}

const ip = (...args: readonly string[]) => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

export function openNetworks(): Networks {
  const mark = randomInt(2 ** 32).toString(36);
  const subnet = `10.${randomInt(64, 250)}.${randomInt(1, 250)}`;
  const bridge = `vb${mark}`;
  const names: string[] = [];
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${subnet}.1/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  return {
    address: `${subnet}.1`,
    add() {
      const number = names.length + 2;
      const name = `vigil-${mark}-${number}`;
      const outer = `v${number}${mark}`;
      ip('netns', 'add', name);
      names.push(name);
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('link', 'set', outer, 'master', bridge, 'up');
      ip('-n', name, 'address', 'add', `${subnet}.${number}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
      return {
        address: `${subnet}.${number}`,
        command: ['ip', 'netns', 'exec', name],
        // The device stays up, so the sockets of the namespace notice nothing.
        cut: (isCut) => ip('link', 'set', outer, ...(isCut ? ['nomaster'] : ['master', bridge])),
      };
    },
    [Symbol.dispose]() {
      for (const name of names) ip('netns', 'delete', name);
      ip('link', 'delete', bridge);
    },
  };
}
