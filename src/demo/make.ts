// Creates the demo step by step, with operations of the service and the keys of its accounts.

import type { Client, Connection } from './connection.ts';
import { AUTH, dayOf, FIREWALL, SOURCES, type Source, WEB } from './logs/sources.ts';
import { DAY_MINUTES, MINUTE_MS } from './logs/traffic.ts';
import { simulateWork } from './objects/actors.ts';
import { makeBatchRules } from './objects/batch-rules.ts';
import { makeDashboards } from './objects/dashboards.ts';
import { makeLoggers } from './objects/loggers.ts';
import { makeObjects } from './objects/objects.ts';
import { type Keys, makePeople } from './objects/people.ts';
import { makeSchedules, runSchedules, waitForBackfill } from './objects/schedules.ts';
import { makeStreamRules } from './objects/stream-rules.ts';
import { makeTables } from './objects/tables.ts';

export type Step = 'objects' | 'logs' | 'rules';

export interface DemoOptions {
  readonly connection: Connection;
  readonly masterKey: string;
  readonly now: Temporal.Instant;
  readonly zone: string;
  readonly signal: AbortSignal;
  /** Reports the current step and its progress. */
  onProgress(step: Step, percent: number): void;
}

/** Rejects when the signal is aborted; objects created until then stay. */
export async function makeDemo({ connection, masterKey, now, zone, signal, onProgress }: DemoOptions): Promise<Keys> {
  const end = now.epochMilliseconds - (now.epochMilliseconds % MINUTE_MS);
  const people = await makePeople(connection, masterKey);
  const { kim } = people;
  const push = (source: Source) => pushDay(kim, source, { end, signal, onProgress });
  const steps: readonly [Step, () => Promise<void>][] = [
    ['objects', () => makeTables(kim)],
    ['objects', () => makeObjects(kim)],
    ['objects', () => makeLoggers(kim)],
    ['objects', () => makeStreamRules(kim)],
    ['objects', () => makeDashboards(kim)],
    ['logs', () => push(WEB)],
    // The schedules read only the table `web`.
    ['logs', () => makeSchedules(kim, end, zone)],
    ['logs', () => push(FIREWALL)],
    ['logs', () => push(AUTH)],
    ['rules', () => runSchedules(kim)],
    ['rules', () => makeBatchRules(kim)],
    ['rules', () => simulateWork(people, end)],
    ['rules', () => waitForBackfill(kim)],
  ];
  for (const [at, [step, work]] of steps.entries()) {
    signal.throwIfAborted();
    if (step !== steps[at - 1]?.[0]) onProgress(step, 0);
    await work();
  }
  return people.keys;
}

const LINES_A_PUSH = 10_000;

type Pushing = Pick<DemoOptions, 'signal' | 'onProgress'> & { readonly end: number };

async function pushDay(kim: Client, source: Source, { end, signal, onProgress }: Pushing): Promise<void> {
  const before = SOURCES.indexOf(source);
  let lines: string[] = [];
  let minutes = 0;
  // Lines are generated while the previous ones are sent.
  let sending = Promise.resolve();
  for (const minute of dayOf(source, end)) {
    lines.push(...minute);
    minutes += 1;
    if (lines.length < LINES_A_PUSH && minutes < DAY_MINUTES) continue;
    await sending;
    signal.throwIfAborted();
    sending = pushLines(kim, source, lines);
    onProgress('logs', Math.floor((100 * (before + minutes / DAY_MINUTES)) / SOURCES.length));
    lines = [];
  }
  await sending;
}

async function pushLines(kim: Client, { logger, contentType }: Source, lines: readonly string[]): Promise<void> {
  const headers = { 'content-type': contentType };
  const reply = await kim.ask('POST', `/loggers/${logger}/logs`, { headers, body: lines.join('\n') });
  if (reply.status !== 200) throw new Error(`logs were refused: ${reply.status} ${reply.text}`);
}
