// Makes the demo, step by step, as people would: with operations of the service and the keys of accounts.

import { doThings } from './actors.ts';
import { makeBatchRules } from './batch-rules.ts';
import type { Client, Connection } from './connection.ts';
import { makeLoggers } from './loggers.ts';
import { makeObjects } from './objects.ts';
import { type Keys, makePeople } from './people.ts';
import { backfilled, makeSchedules, runSchedules } from './schedules.ts';
import { AUTH, dayOf, FIREWALL, SOURCES, type Source, WEB } from './sources.ts';
import { makeStreamRules } from './stream-rules.ts';
import { makeTables } from './tables.ts';
import { DAY_MINUTES, MINUTE_MS } from './traffic.ts';

export type Step = 'objects' | 'logs' | 'rules';

export interface Making {
  readonly connection: Connection;
  readonly masterKey: string;
  readonly now: Temporal.Instant;
  readonly zone: string;
  readonly signal: AbortSignal;
  /** Told what is being made, and how much of it is. */
  tell(step: Step, percent: number): void;
}

/** Rejects when the signal is aborted, and leaves what is made by then. */
export async function makeDemo({ connection, masterKey, now, zone, signal, tell }: Making): Promise<Keys> {
  const end = now.epochMilliseconds - (now.epochMilliseconds % MINUTE_MS);
  const people = await makePeople(connection, masterKey);
  const { kim } = people;
  const push = (source: Source) => pushDay(kim, source, { end, signal, tell });
  const steps: readonly [Step, () => Promise<void>][] = [
    ['objects', () => makeTables(kim)],
    ['objects', () => makeObjects(kim)],
    ['objects', () => makeLoggers(kim)],
    ['objects', () => makeStreamRules(kim)],
    ['logs', () => push(WEB)],
    // They look at nothing else.
    ['logs', () => makeSchedules(kim, end, zone)],
    ['logs', () => push(FIREWALL)],
    ['logs', () => push(AUTH)],
    ['rules', () => runSchedules(kim)],
    ['rules', () => makeBatchRules(kim)],
    ['rules', () => doThings(people, end)],
    ['rules', () => backfilled(kim)],
  ];
  for (const [at, [step, work]] of steps.entries()) {
    signal.throwIfAborted();
    if (step !== steps[at - 1]?.[0]) tell(step, 0);
    await work();
  }
  return people.keys;
}

const LINES_A_PUSH = 10_000;

type Pushing = Pick<Making, 'signal' | 'tell'> & { readonly end: number };

async function pushDay(kim: Client, source: Source, { end, signal, tell }: Pushing): Promise<void> {
  const before = SOURCES.indexOf(source);
  let lines: string[] = [];
  let minutes = 0;
  // The next lines are made while the last are on their way.
  let sending = Promise.resolve();
  for (const minute of dayOf(source, end)) {
    lines.push(...minute);
    minutes += 1;
    if (lines.length < LINES_A_PUSH && minutes < DAY_MINUTES) continue;
    await sending;
    signal.throwIfAborted();
    sending = pushLines(kim, source, lines);
    tell('logs', Math.floor((100 * (before + minutes / DAY_MINUTES)) / SOURCES.length));
    lines = [];
  }
  await sending;
}

async function pushLines(kim: Client, { logger, contentType }: Source, lines: readonly string[]): Promise<void> {
  const headers = { 'content-type': contentType };
  const said = await kim.ask('POST', `/loggers/${logger}/logs`, { headers, body: lines.join('\n') });
  if (said.status !== 200) throw new Error(`logs were refused: ${said.status} ${said.text}`);
}
