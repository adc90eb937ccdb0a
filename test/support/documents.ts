// Documents that are run: the shell blocks of a Markdown file, each with the output that the document shows for it.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sourcesIn } from './sources.ts';

export interface ShellBlock {
  readonly lines: string;
  /** Undefined where the document shows none. */
  readonly output: string | undefined;
}

export interface RunnableDocument {
  readonly path: string;
  /** The flags of the service that the document starts. */
  readonly flags: readonly string[];
  /** Without the blocks that install, start or test. */
  readonly blocks: readonly ShellBlock[];
}

export interface BlockResult {
  /** Standard output and standard error in their order. */
  readonly output: string;
  /** Commands that ended with another code than 0. */
  readonly failed: readonly string[];
}

const FENCES = /^```(\w*)\n(.*?)^```\n/gms;

export function readDocument(path: string): RunnableDocument {
  const text = sourcesIn(path)[0]?.text ?? '';
  const fences = [...text.matchAll(FENCES)].map(([, kind = '', lines = '']) => ({ kind, lines }));
  const started = fences.filter(({ lines }) => lines.includes('npm start -- ')).at(-1)?.lines ?? '';
  const blocks: ShellBlock[] = [];
  for (const [at, { kind, lines }] of fences.entries()) {
    const next = fences[at + 1];
    if (kind !== 'sh') {
      if (fences[at - 1]?.kind !== 'sh') throw new Error(`${path} shows output without a command: ${lines}`);
    } else if (!lines.includes('npm ci')) {
      blocks.push({ lines, output: next === undefined || next.kind === 'sh' ? undefined : outputOf(next) });
    }
  }
  return { path, flags: /npm start -- (.*)/.exec(started)?.[1]?.split(' ') ?? [], blocks };
}

/** JSON is broken for reading: a line that begins with a blank continues the one before. */
const outputOf = ({ kind, lines }: { kind: string; lines: string }): string =>
  (kind === 'json' ? lines.replace(/\n (?=\S)/g, '') : lines).trimEnd();

/** Pastes all blocks into one shell in `folder`. `replacements` are ports and addresses that a test chooses itself. */
export function runDocument(
  { blocks }: RunnableDocument,
  { folder, url, replacements = {} }: { folder: string; url: string; replacements?: Readonly<Record<string, string>> },
): BlockResult[] {
  const failures = join(folder, 'failed-commands');
  writeFileSync(failures, '');
  const pasted = blocks.map(({ lines }, at) => `block=${at}\n${lines}echo; echo '${END}'`).join('\n');
  const trap = `trap 'printf "%s %s\\n" "$block" "$BASH_COMMAND" >> ${failures}' ERR`;
  const script = Object.entries({ 'http://127.0.0.1:8470': url, ...replacements }).reduce(
    (text, [written, actual]) => text.replaceAll(written, actual),
    `exec 2>&1\n${trap}\n${pasted}\n`,
  );
  const { stdout } = spawnSync('bash', ['-uc', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...shellEnvironment(folder), VIGIL_URL: url },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const failed = readFileSync(failures, 'utf8').split('\n');
  return stdout
    .split(`${END}\n`)
    .slice(0, -1)
    .map((output, at) => ({ output: output.trim(), failed: failed.filter((line) => line.startsWith(`${at} `)) }));
}

const END = '--- end of a block ---';

/** `npx` without npm: it starts the sources of this project, or the Node that runs the tests. */
function shellEnvironment(folder: string): Record<string, string> {
  const commands = join(folder, 'commands');
  mkdirSync(commands, { recursive: true });
  mkdirSync(join(folder, 'data'), { recursive: true });
  const npx = join(commands, 'npx');
  const vigil = `"${process.execPath}" "${join(ROOT, 'bin/vigil.js')}"`;
  writeFileSync(
    npx,
    `#!/bin/sh\ncase "$1" in vigil) shift; exec ${vigil} "$@";; esac\nshift\nexec "${process.execPath}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  // curl draws a progress meter as soon as its output is no terminal.
  writeFileSync(join(folder, '.curlrc'), 'no-progress-meter\n');
  return { PATH: `${commands}:${process.env.PATH ?? ''}`, HOME: folder, LANG: 'C.UTF-8', TZ: 'UTC' };
}

/** Without what differs from one run to the next. */
export const steady = (text: string): string =>
  text
    .trim()
    .replaceAll('\r\n', '\n')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})?[+-]\d{4}/g, 'TIME')
    .replace(
      /"(id|elapsed|start_time|finish_time|stamp|table_size|index_size|ratio|created_at|time)":[\d.e-]+/g,
      '"$1":N',
    )
    .replace(/"request_id":"[\w-]+"/g, '"request_id":"ID"')
    .replace(/\b(?!de0000)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'GUID');

/** The whole of a text, in which `…` stands for anything within a line. */
export const patternOf = (shown: string): RegExp =>
  new RegExp(`^${steady(shown).split('…').map(RegExp.escape).join('.*')}$`);
