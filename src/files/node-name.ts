// The name of the node of a data folder, in a file of it: a node keeps its name when its machine gets another one.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FIRST_NODE } from '#contract/values.ts';
import { fsyncSync } from './durable.ts';

const MAX_LENGTH = 50;

const fileOf = (folder: string): string => join(folder, 'node-name');

/** The name that the folder keeps; undefined where it keeps none. */
export function keptNodeName(folder: string): string | undefined {
  const file = fileOf(folder);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** The caller holds the lock of the folder. */
export function keepNodeName(folder: string, name: string): void {
  if (keptNodeName(folder) === name) return;
  const file = fileOf(folder);
  // Renamed when it is whole: loggers and records name the node.
  writeFileSync(`${file}.new`, `${name}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  fsyncSync(folder);
}

/** Letters, digits, `.`, `_` and `-` of the name of this machine; long names of machines differ at their end. */
export function hostNodeName(host = hostname()): string {
  const name = host.normalize().replace(/[^\p{L}\p{N}._-]/gu, '-');
  return [...name].slice(-MAX_LENGTH).join('') || FIRST_NODE;
}
