// Lookups in memory: whose they are, how many, and that a run sees those of its check.

import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import type { MapValue } from '#query/model/values.ts';
import { MAX_LOOKUPS, MAX_ROWS, MAX_SIZE, MemoryLookups } from './memory-lookups.ts';

const row = (k: bigint): MapValue => new Map([['k', k]]);

function keep(
  memory: MemoryLookups,
  owner: string,
  name: string,
  { rows = [row(1n)], size = 10, isSecret = false } = {},
) {
  const building = memory.forRun(owner, found(memory), []).build({
    name,
    key: 'k',
    columns: [{ name: 'k', type: 'long' }],
    isSecret,
  });
  building.add(rows, size);
  building.commit();
}

const found = (memory: MemoryLookups) => ({
  seen: (account: string) => memory.of(account),
  stored: () => undefined,
});

/** Those of all accounts as they are now. */
function seenNow(memory: MemoryLookups) {
  const own = new Map(['one', 'two'].map((account) => [account, memory.of(account)]));
  return { seen: (account: string) => own.get(account) ?? new Map(), stored: () => undefined };
}

describe('Lookups in memory', () => {
  it('belong to their owner, and are replaced and dropped by name', () => {
    const memory = new MemoryLookups(systemClock);
    keep(memory, 'one', 'm');
    keep(memory, 'two', 'm', { rows: [row(1n), row(2n)] });
    keep(memory, 'two', 'n');
    expect(memory.listed('one').map((listed) => [listed.get('name'), listed.get('rows')])).toEqual([['m', 1n]]);
    memory.forRun('two', found(memory), []).drop({ lookup: 'm' });
    expect([...memory.of('two').keys()]).toEqual(['n']);
    expect(memory.of('nobody').size).toBe(0);
    expect(memory.of('one').get('m')?.rows).toEqual([row(1n)]);
  });

  it('stay for a run as they were when it was checked', () => {
    const memory = new MemoryLookups(systemClock);
    keep(memory, 'one', 'm', { isSecret: true });
    const run = memory.forRun('one', seenNow(memory), [{ lookup: 'm' }]);
    keep(memory, 'one', 'm', { rows: [row(7n)] });
    expect(run.of({ lookup: 'm' })?.rows).toEqual([row(1n)]);
    expect(run.isSecret).toBe(true);
    expect(memory.forRun('one', seenNow(memory), [{ lookup: 'm' }]).isSecret).toBe(false);
  });

  it('are not there before they are whole', () => {
    const memory = new MemoryLookups(systemClock);
    const building = memory
      .forRun('one', seenNow(memory), [])
      .build({ name: 'm', key: 'k', columns: [], isSecret: false });
    building.add([row(1n)], 10);
    expect(memory.of('one').size).toBe(0);
  });

  it('have their limits', () => {
    const memory = new MemoryLookups(systemClock);
    const many = Array.from({ length: MAX_ROWS }, () => row(1n));
    keep(memory, 'one', 'most', { rows: many });
    expect(() => keep(memory, 'one', 'more', { rows: [...many, row(2n)] })).toThrow(
      'vigil failure 93011 beyond 100000',
    );
    expect(() => keep(memory, 'one', 'large', { size: MAX_SIZE + 1 })).toThrow('too large');
    keep(memory, 'two', 'half', { size: MAX_SIZE / 2 });
    keep(memory, 'two', 'half', { size: MAX_SIZE / 2 });
    expect(() => keep(memory, 'two', 'rest', { size: MAX_SIZE / 2 + 1 })).toThrow('too large');
    for (let at = 0; at < MAX_LOOKUPS; at += 1) keep(memory, 'three', `m${at}`);
    keep(memory, 'three', 'm0');
    expect(() => keep(memory, 'three', 'beyond')).toThrow('vigil failure 93011 beyond 100');
  });
});
