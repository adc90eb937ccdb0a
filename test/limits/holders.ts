// Runs hostile queries one at a time, and tells for how long each held the main thread of the service, and what did it.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { type Caller, CURSORS, finished } from '#test/support/queries.ts';
import { send } from '#test/support/service.ts';
import type { Held } from './hold-probe.ts';

export const PROBE = join(import.meta.dirname, 'hold-probe.ts');

/** A turn may also compile code that is new to the process, or collect garbage: what holds the thread does so each time. */
const MAX_ATTEMPTS = 3;

export interface Holder extends Held {
  readonly query: string;
  /** What it was answered with, or how it ended. */
  readonly end: string;
}

/** Of a service with these settings, each as it is known. */
export async function* holders(
  queries: readonly string[],
  settings: Readonly<Record<string, string>>,
): AsyncGenerator<Holder> {
  using home = makeHome();
  const running = home.serve(settings, { probe: PROBE });
  const url = await running.ready();
  const service: Caller = { call: (method, path, how) => send(`${url}${path}`, method, how) };
  await fill(service);
  await endOf(service, 'table web | evalc a = 1 | limit 1');
  for (const query of queries) {
    await probed(running.child, 'begin');
    const end = await endOf(service, query);
    const held = await probed(running.child, 'found');
    yield { ...held, query, end };
  }
}

/** What the probe of a service answers: nothing of interest, or what it has found since `begin`. */
export async function probed(service: ChildProcess, asked: 'begin' | 'found'): Promise<Held> {
  service.send(asked);
  const [held] = (await once(service, 'message')) as [Held];
  return held;
}

/** Repeats work until no turn of the main thread took as long as `maxMs`; how often it was done. Fails after some attempts. */
export async function attemptsWithin(maxMs: number, work: () => Promise<Held>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const held = await work();
    if (attempt === MAX_ATTEMPTS) expect(held.longest, JSON.stringify(held)).toBeLessThan(maxMs);
    if (held.longest < maxMs) return attempt;
  }
}

/** The table `web` that hostile queries read; the guid of its logger. */
export async function fill(service: Caller): Promise<string> {
  const logger = await createLogger(service, { table: 'web' });
  const body = Array.from({ length: 20 }, (_, n) => JSON.stringify({ n: n % 2, path: `/page/${n}` })).join('\n');
  await push(service, logger, { body });
  return logger;
}

async function endOf(service: Caller, q: string): Promise<string> {
  const { status, json } = await service.call('POST', CURSORS, { json: { q } });
  if (status !== 200) return `${status} ${json.error_msg}`;
  const { rows, error_code, error_detail } = await finished(service, json.id);
  await service.call('GET', `${CURSORS}/${json.id}?limit=1000`);
  await service.call('DELETE', `${CURSORS}/${json.id}`);
  return error_code === undefined ? `${rows} rows` : `${error_code} ${error_detail}`;
}
