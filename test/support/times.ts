// What test files took when the times were last written (`npm run test:times`): a fresh clone has no runs of its own to
// learn from. Files that are not listed took less than a second.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.ts';

export const TIMES_FILE = join(ROOT, 'test/times.json');

/** By part and path. */
export type Times = Readonly<Record<string, readonly [seconds: number, processorSeconds: number]>>;

export const costKey = (project: string, file: string): string => `${project} ${file}`;

export const readTimes = (): Times => JSON.parse(readFileSync(TIMES_FILE, 'utf8'));
