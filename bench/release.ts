// What an operator downloads, installs and starts: sizes of a release and of its installation, its start beside that of a bare
// Fastify server, and the times of its short commands.

import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { productManifest } from '#docs/product.ts';
import { ownPlatform, type Platform } from '#packaging/platforms.ts';
import { packNpm, packPlatform } from '#packaging/release.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { median } from './support/numbers.ts';
import { benchServer, type Launch, vigil } from './support/server-process.ts';
import { startInTurn, WARM_UPS } from './support/starts.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

const ROOT = join(import.meta.dirname, '..');
/** The yardstick of `npx vigil`. */
const EMPTY = 'empty-script';

export const release: Bench = {
  name: 'release',
  question: 'How large is a release, how fast does it start once installed, and how fast are its short commands?',
  yardstick: 'sizes: none; a bare Fastify server to its first 200; npx of an empty script',
  aim: 'installed 110 MB without Node and 330 MB with it, archive 80 MB; start 2.2 times; short commands 150 ms, by npx 1.3 times',

  async run(effort) {
    using folder = workFolder();
    effort.say('making the release');
    const made = makeRelease(folder);
    const installed = installByNpm(folder, made.npmPackage);
    const archive = unpackArchive(folder, made.archive);
    const sizes = sizesOf(made, installed);
    const starts = await startsOf(folder, { installed, archive }, effort);
    return { rows: [...sizes, ...starts, ...commandsOf({ folder, installed, archive }, effort)], notes: NOTES };
  },
};

const NOTES = [
  'Made and installed as docs/install.md says, on this machine and for its platform. MB are 1,000,000 bytes, of files and not of the blocks of the disk.',
  `Starts and commands are medians in turn, after ${WARM_UPS} that fill the compile cache. The package of npm runs under the Node of the bench; "older Node" is the one that npm brought to this machine, which starts the Node of the package.`,
];

interface MadeRelease {
  readonly platform: Platform;
  readonly npmPackage: string;
  readonly archive: string;
  readonly debianPackage: string;
}

function makeRelease(folder: WorkFolder): MadeRelease {
  // Documents and console too, not only the bundle that every bench needs.
  execFileSync(process.execPath, [join(ROOT, 'bin/build.ts')]);
  const platform = ownPlatform();
  const into = folder.at('release');
  mkdirSync(into);
  const npmPackage = join(into, packNpm(ROOT, { folder: into }));
  const [archive = '', debianPackage = ''] = packPlatform(ROOT, platform, {
    version: productManifest().version,
    folder: into,
    seconds: 0,
  }).map((name) => join(into, name));
  return { platform, npmPackage, archive, debianPackage };
}

/** In a folder with an empty script beside it: its path. */
function installByNpm(folder: WorkFolder, npmPackage: string): string {
  const empty = folder.at('empty');
  mkdirSync(empty);
  const manifest = { name: EMPTY, version: '1.0.0', type: 'module', bin: { [EMPTY]: 'empty.js' } };
  writeFileSync(join(empty, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(empty, 'empty.js'), '#!/usr/bin/env node\n', { mode: 0o755 });
  const installed = folder.at('installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', npmPackage, empty], { cwd: installed, stdio: 'ignore' });
  return installed;
}

function unpackArchive(folder: WorkFolder, archive: string): string {
  mkdirSync(folder.at('archive'));
  execFileSync('tar', ['--extract', '--gzip', '--directory', folder.at('archive'), '--file', archive]);
  return folder.at('archive', basename(archive, '.tar.gz'));
}

function sizesOf({ platform, npmPackage, archive, debianPackage }: MadeRelease, installed: string): Row[] {
  const all = bytesBelow(join(installed, 'node_modules'));
  const node = bytesBelow(join(installed, 'node_modules', platform.node));
  return [
    megabytes('package for npm', statSync(npmPackage).size),
    megabytes('installed by npm, without Node', all - node, 110),
    megabytes('installed by npm, with Node', all, 330),
    megabytes('archive', statSync(archive).size, 80),
    megabytes('Debian package', statSync(debianPackage).size),
  ];
}

const megabytes = (what: string, bytes: number, bound?: number): Row => ({
  what,
  value: bytes / 1e6,
  unit: 'MB',
  ...(bound === undefined ? {} : { aim: { of: 'value', is: 'at most', bound } }),
});

const bytesBelow = (path: string): number =>
  globSync('**/*', { cwd: path, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

interface Installed {
  /** Of npm: holds `node_modules`. */
  readonly installed: string;
  /** Of the archive: holds `bin/vigil`. */
  readonly archive: string;
}

/** As an operator starts it: none of the flags and variables that the service wants is given. */
async function startsOf(folder: WorkFolder, { installed, archive }: Installed, effort: Effort): Promise<Row[]> {
  mkdirSync(folder.at('compile-cache'));
  const environment = { TMPDIR: folder.at('compile-cache') };
  const service = (name: string, script: string, program?: string): Launch => {
    const { args, environment: declared } = vigil({ folder: folder.at(name) });
    const { VIGIL_MASTER_KEY = '' } = declared ?? {};
    return { args, script, environment: { ...environment, VIGIL_MASTER_KEY }, ...(program ? { program } : {}) };
  };
  const fastify = benchServer('bare-fastify.mjs');
  const candidates = [
    {
      name: 'bare Fastify',
      path: '/hello',
      launch: { script: fastify, args: (port: number) => [String(port)], environment },
    },
    {
      name: 'package for npm',
      path: '/readyz',
      launch: service('npm', join(installed, 'node_modules/vigil/bin/vigil.js')),
    },
    { name: 'archive', path: '/readyz', launch: service('archived', join(archive, 'bin/vigil'), '/bin/sh') },
  ];
  const times = await startInTurn(candidates, effort);
  const yardstick = median(times[0] ?? []);
  return candidates.map(({ name }, index) => ({
    what: `${name}: vigil serve to the first 200`,
    value: median(times[index] ?? []),
    unit: 'ms',
    yardstick,
    // npm makes a link to the script, which begins anew with the flags of the service: a second process.
    ...(name === 'archive' ? { aim: { of: 'ratio', is: 'at most', bound: 2.2 } } : {}),
  }));
}

interface Command {
  readonly what: string;
  readonly run: readonly [program: string, ...args: string[]];
  readonly path: string;
  readonly maxMilliseconds?: number;
}

function commandsOf(
  { folder, installed, archive }: Installed & { readonly folder: WorkFolder },
  effort: Effort,
): Row[] {
  const withNode = pathWith(dirname(process.execPath));
  const older = pathWith();
  const command = join(installed, 'node_modules/.bin/vigil');
  const program = join(archive, 'bin/vigil');
  const commands: readonly Command[] = [
    { what: 'vigil --version', run: [command, '--version'], path: withNode, maxMilliseconds: 150 },
    { what: 'vigil version', run: [command, 'version'], path: withNode, maxMilliseconds: 150 },
    { what: 'archive: vigil --version', run: [program, '--version'], path: withNode, maxMilliseconds: 150 },
    { what: 'archive: vigil version', run: [program, 'version'], path: withNode, maxMilliseconds: 150 },
    { what: 'older Node: vigil --version', run: [command, '--version'], path: older },
  ];
  const byNpx = (path: string) => [
    { what: 'npx of an empty script', run: ['npx', EMPTY], path } as const,
    { what: 'npx vigil --version', run: ['npx', 'vigil', '--version'], path } as const,
  ];
  const environment = { TMPDIR: folder.at('compile-cache') };
  const times = inTurn([...commands, ...byNpx(withNode), ...byNpx(older)], { installed, environment }, effort);
  const rows = commands.map(({ what, maxMilliseconds }, index): Row => {
    const value = median(times[index] ?? []);
    if (maxMilliseconds === undefined) return { what, value, unit: 'ms' };
    return { what, value, unit: 'ms', aim: { of: 'value', is: 'at most', bound: maxMilliseconds } };
  });
  const npx = (what: string, first: number): Row => {
    const yardstick = median(times[first] ?? []);
    const value = median(times[first + 1] ?? []);
    return { what, value, unit: 'ms', yardstick, aim: { of: 'ratio', is: 'at most', bound: 1.3 } };
  };
  const first = commands.length;
  return [...rows, npx('npx vigil --version', first), npx('older Node: npx vigil --version', first + 2)];
}

/** PATH without what `npm run` has put in front of it, behind a folder. */
const pathWith = (...folders: readonly string[]): string =>
  [...folders, ...(process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))].join(
    delimiter,
  );

function inTurn(
  commands: readonly Command[],
  { installed, environment }: { readonly installed: string; readonly environment: Readonly<Record<string, string>> },
  { isQuick, say }: Effort,
): number[][] {
  const rounds = isQuick ? 3 : 15;
  const times = commands.map((): number[] => []);
  for (let round = 1 - WARM_UPS; round <= rounds; round += 1) {
    if (round > 0) say(`round ${round} of ${rounds} of commands`);
    for (const [index, { what, run, path }] of commands.entries()) {
      const [program, ...args] = run;
      const begun = performance.now();
      const env = { ...process.env, ...environment, PATH: path };
      const { status } = spawnSync(program, args, { cwd: installed, env, stdio: 'ignore' });
      if (status !== 0) throw new Error(`${what} ended with ${status}`);
      if (round > 0) times[index]?.push(performance.now() - begun);
    }
  }
  return times;
}
