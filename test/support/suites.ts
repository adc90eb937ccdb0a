// Suites that hold on every database: one service per suite, started before its first test, with a clock the test drives.

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { ManualClock } from './manual-clock.ts';
import { type Database, databases, type Reply, type Service, type ServiceOptions, startService } from './service.ts';

export const BEGINNING = '2024-03-01T00:00:00Z';

/** What a suite works with; the service is there once the first test runs. */
export interface Subject {
  readonly service: Service;
  readonly clock: ManualClock;
  readonly database: Database;
  readonly call: Service['call'];
}

export function onEachDatabase(title: string, define: (subject: Subject) => void, options: ServiceOptions = {}): void {
  for (const { name, skip } of databases) {
    describe.skipIf(skip)(`${title}, on ${name}`, () => define(serviceFor({ ...options, database: name })));
  }
}

/** A service for the suite that is being defined. */
export function serviceFor(options: ServiceOptions = {}): Subject {
  let started: Service | undefined;
  const clock = new ManualClock(BEGINNING);
  beforeAll(async () => {
    started = await startService({ clock, ...options });
  });
  afterAll(async () => {
    // A stop that waits for a request which never ends gives up by the clock, which stands still.
    const giveUp = setTimeout(() => clock.advance({ seconds: 30 }), 1000);
    await started?.[Symbol.asyncDispose]();
    clearTimeout(giveUp);
  });
  const running = (): Service => {
    if (!started) throw new Error('the service of this suite has not started yet');
    return started;
  };
  return {
    get service() {
      return running();
    },
    clock,
    database: options.database ?? 'sqlite',
    call: (method, path, call) => running().call(method, path, call),
  };
}

/** Status and body, which is what most rules are about. */
export const outcome = ({ status, json }: Reply): readonly [number, unknown] => [status, json];

export const refused = (status: number, error_code: string, error_msg: string): readonly [number, unknown] => [
  status,
  { error_code, error_msg, ...(error_code === 'invalid-query' ? ANY_FINDINGS : {}) },
];

/** What findings.test.ts says about them holds for all refusals of a text. */
const ANY_FINDINGS = { mistakes: expect.any(Array), warnings: expect.any(Array), hints: expect.any(Array) };

export const NO_PERMISSION = refused(500, 'illegal-state', 'no-permission');

/** In which nodes on a shared database have added up what they count, and one has written it down. */
const COUNTS_MARGIN = { seconds: 20 };

/** Lets time pass. Nodes on a shared database do what falls due within ten seconds before what falls due later. */
export async function pass(subject: Subject, length: Temporal.DurationLike): Promise<void> {
  const { clock, database } = subject;
  const end = clock.now().add(length);
  while (database === 'postgres' && clock.now().until(end).total('seconds') > 0) {
    const seconds = Math.min(10, clock.now().until(end).total('seconds'));
    clock.advance({ seconds });
    await clock.settled();
  }
  clock.advance(clock.now().until(end));
}

/** Counts whose minute, hour or session is over are entries; on a database of one process they are at once. */
export async function countsWritten(subject: Subject): Promise<void> {
  if (subject.database === 'postgres') await pass(subject, COUNTS_MARGIN);
}
