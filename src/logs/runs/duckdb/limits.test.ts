import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { Exhausted } from '#logs/log-store.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ExecutionSlots } from './execution-slots.ts';
import { exhausted } from './exhausted.ts';
import { openInstance } from './instance.ts';
import { IsolatedInstances } from './isolated-instances.ts';
import { MemoryWatch } from './memory-watch.ts';

const MIB = 1024 * 1024;
const workOf = (account: string) => new ExecutionSlots(systemClock).begin({ account, isLong: false, signal: NEVER });
const NEVER = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'vigil-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILL = 'create or replace table filled as select md5(range::varchar) as text from range(2500000)';

describe('An instance', () => {
  it('puts no more on the disk than it may, and says what it lacked', async () => {
    const options = { spillFolder: join(folder, 'small'), memoryBytes: 64 * MIB };
    const small = await openInstance({ ...options, diskBytes: MIB });
    const failure = await small.run(FILL).catch((error) => exhausted(error, { isApart: false }));
    expect(failure).toMatchObject({ resource: 'disk', isMovable: true });
    await small.end();
    const large = await openInstance({ ...options, diskBytes: 1024 * MIB });
    await large.run(FILL);
    const { memoryBytes, diskBytes } = await large.use();
    expect(memoryBytes).toBeLessThanOrEqual(64 * MIB);
    expect(diskBytes).toBeGreaterThan(MIB);
    await large.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends queries for a statement of the engine that finds no memory, until there are none', async () => {
    let running = 3;
    const relieve = () => {
      running -= 1;
      return running > 0;
    };
    const instance = await openInstance({ memoryBytes: 16 * MIB, relieve });
    await expect(instance.run(FILL)).rejects.toThrow('Out of Memory Error');
    expect(running).toBe(0);
    await instance.end();
  });
});

describe('Isolated instances', () => {
  const instances = new IsolatedInstances({ folder, memoryBytes: 64 * MIB, diskBytes: MIB });

  it('are one for an account, and two at a time; a waiting account gets the next one, or gives up', async () => {
    const one = await instances.borrow('a', NEVER);
    const again = await instances.borrow('a', NEVER);
    const two = await instances.borrow('b', NEVER);
    expect(again.instance).toBe(one.instance);
    expect(two.instance).not.toBe(one.instance);
    const leaving = new AbortController();
    const gone = instances.borrow('d', leaving.signal);
    const three = instances.borrow('c', NEVER);
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    one[Symbol.dispose]();
    await again.instance.run('select 1');
    again[Symbol.dispose]();
    await (await three).instance.run('select 1');
    (await three)[Symbol.dispose]();
    two[Symbol.dispose]();
  });

  it('are lent again, and hold nothing of the account before', async () => {
    const spilling = new IsolatedInstances({ folder, memoryBytes: 64 * MIB, diskBytes: 1024 * MIB });
    const one = await spilling.borrow('a', NEVER);
    const session = one.instance.session(workOf('a'));
    await session.rows({ text: FILL, values: [], types: [] });
    const full = await one.instance.use();
    expect(full.diskBytes).toBeGreaterThan(MIB);
    await session[Symbol.asyncDispose]();
    one[Symbol.dispose]();
    using two = await spilling.borrow('b', NEVER);
    expect(two.instance).toBe(one.instance);
    expect(await two.instance.use()).toMatchObject({ diskBytes: 0 });
    await expect(two.instance.run('from filled')).rejects.toThrow('does not exist');
    two[Symbol.dispose]();
    await spilling.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('The watch over memory', () => {
  const clock = new ManualClock('2026-11-15T03:00:00Z');
  let resident = 100;
  let held = 0;
  const watch = new MemoryWatch({
    clock,
    maxBytes: 1000,
    maxHeldBytes: 500,
    resident: () => resident,
    held: async () => held,
  });
  const look = async (now: number) => {
    resident = now;
    await clock.pass({ milliseconds: 100 });
  };

  it('stops the run that was there when the process grew; for good only when the process has too much memory', async () => {
    using first = watch.enter();
    await look(400);
    using second = watch.enter();
    await look(500);
    expect([first.signal.aborted, second.signal.aborted]).toEqual([false, false]);
    held = 501;
    await look(500);
    expect(first.signal.reason).toMatchObject({ isMovable: true });
    expect(first.signal.reason).toBeInstanceOf(Exhausted);
    held = 0;
    await look(1001);
    expect(second.signal.reason).toMatchObject({ isMovable: false });
    expect(watch.relieve()).toBe(false);
  });
});
