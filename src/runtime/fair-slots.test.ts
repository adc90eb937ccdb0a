import { describe, expect, it } from 'vitest';
import { FairSlots } from './fair-slots.ts';

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Requests slots by account and notes the order in which they are granted. */
function requests(slots: FairSlots) {
  const granted: string[] = [];
  const taken = new Map<string, Disposable>();
  const aborting = new Map<string, AbortController>();
  return {
    granted,
    async request(...names: readonly string[]): Promise<void> {
      for (const name of names) {
        const controller = new AbortController();
        aborting.set(name, controller);
        slots.acquire(name.charAt(0), controller.signal).then(
          (slot) => {
            granted.push(name);
            taken.set(name, slot);
          },
          (reason) => granted.push(`${name} ${reason}`),
        );
      }
      await settled();
    },
    async finish(name: string): Promise<void> {
      taken.get(name)?.[Symbol.dispose]();
      await settled();
    },
    async giveUp(name: string): Promise<void> {
      aborting.get(name)?.abort('gave up');
      await settled();
    },
  };
}

describe('Fair slots', () => {
  it('are limited per account', async () => {
    const slots = new FairSlots({ perAccount: 2, total: 10 });
    const { granted, request, finish } = requests(slots);
    await request('a1', 'a2', 'a3', 'a4', 'b1');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    expect([slots.inUse, slots.waiting]).toEqual([3, 2]);
    await finish('b1');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    await finish('a2');
    expect(granted).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are limited in total, and waiting requests follow in order', async () => {
    const slots = new FairSlots({ perAccount: 9, total: 2 });
    const { granted, request, finish } = requests(slots);
    await request('a1', 'a2', 'a3', 'a4');
    await finish('a1');
    await finish('a2');
    expect(granted).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect([slots.inUse, slots.waiting]).toEqual([2, 0]);
  });

  it('go to the account that holds the fewest, even if another account requested earlier', async () => {
    const { granted, request, finish } = requests(new FairSlots({ perAccount: 9, total: 3 }));
    await request('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1');
    await finish('a1');
    await finish('a2');
    await finish('a3');
    expect(granted.slice(3)).toEqual(['b1', 'c1', 'a4']);
  });

  it('skip a request that was aborted', async () => {
    const slots = new FairSlots({ perAccount: 1, total: 1 });
    const { granted, request, finish, giveUp } = requests(slots);
    await request('a1', 'b1', 'c1');
    await giveUp('b1');
    await finish('a1');
    expect(granted).toEqual(['a1', 'b1 gave up', 'c1']);
    await finish('c1');
    expect([slots.inUse, slots.waiting]).toEqual([0, 0]);
  });

  it('are not given to an aborted request', async () => {
    const slots = new FairSlots({ perAccount: 1, total: 1 });
    await expect(slots.acquire('a', AbortSignal.abort('gave up'))).rejects.toBe('gave up');
    expect(slots.inUse).toBe(0);
    using _ = await slots.acquire('a', NEVER);
    expect(slots.inUse).toBe(1);
  });

  it('are guaranteed once to an account that holds none, where that is set', async () => {
    const slots = new FairSlots({ perAccount: 2, total: 2, guaranteesOne: true });
    const { granted, request, finish } = requests(slots);
    await request('a1', 'a2', 'a3', 'b1', 'b2');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    await finish('a1');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    await finish('a2');
    expect(granted).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect([slots.inUse, slots.waiting]).toEqual([2, 1]);
  });
});
