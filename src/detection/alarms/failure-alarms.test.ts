// Stream rules that fail for single records: told of once, and not each time that they fail and work in turns.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeVersion } from '#detection/rules/rule-store.ts';
import { openStore, type Store } from '#store/store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { FailureAlarms } from './failure-alarms.ts';

const RULE = { kind: 'stream', guid: 'r', name: 'costly' } as const;
const AUTHOR = { userGuid: 'u', login: 'u', companyGuid: 'c' };

describe('A stream rule that fails for some records', () => {
  let folder: string;
  let store: Store;
  let failures: FailureAlarms;
  let told: (string | undefined)[];
  const clock = new ManualClock('2026-11-15T00:00:00Z');
  const open = () =>
    new FailureAlarms({
      store,
      clock,
      zone: 'UTC',
      group: '',
      wake() {},
      groupMissing() {},
      changed: (_, reason) => void told.push(reason),
      failed(error) {
        throw error;
      },
    });
  const fail = (reason = 'too long') => failures.failed(RULE, reason, clock.now());
  const lastFailure = () =>
    store.read((db) => db.selectFrom('schedule_states').select('last_failure_reason').executeTakeFirst());
  const failing = async () => (await store.read((db) => db.selectFrom('failing').selectAll().execute())).length;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-failures-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    const snapshot = { name: 'costly', priority: 'HIGH' };
    const version = { ...RULE, snapshot, change: 'create', comment: null, author: AUTHOR, now: 0 } as const;
    await store.write((db) => writeVersion(db, version, true));
    told = [];
    failures = open();
  });
  afterEach(async () => {
    await failures.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('is told of with the first, and works again with the next record that it judges', async () => {
    failures.works(RULE);
    fail('first');
    fail('second');
    failures.works(RULE);
    failures.works(RULE);
    expect(told).toEqual(['first', undefined]);
    await failures.close();
    expect(await lastFailure()).toEqual({ last_failure_reason: 'second' });
    expect(await failing()).toBe(0);
  });

  it('that fails and works in turns is told of once more, until it has been quiet for ten minutes', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      fail();
      failures.works(RULE);
    }
    expect(told).toEqual(['too long', undefined, 'too long']);
    clock.advance({ minutes: 11 });
    failures.works(RULE);
    expect(told.at(-1)).toBeUndefined();
  });

  it('is known again after a restart', async () => {
    fail();
    await failures.close();
    expect(await failing()).toBe(1);
    failures = open();
    await failures.open();
    told = [];
    fail();
    expect(told).toEqual([]);
    failures.works(RULE);
    expect(told).toEqual([undefined]);
  });

  it('that lacks something works again only when that is there', () => {
    failures.broken(RULE, 'log schema not found: x');
    failures.works(RULE);
    expect(told).toEqual(['log schema not found: x']);
    failures.recovered(RULE);
    expect(told.at(-1)).toBeUndefined();
  });
});
