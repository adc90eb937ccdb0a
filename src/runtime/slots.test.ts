import { describe, expect, it } from 'vitest';
import { mapLimit, Slots, SlotsFull } from './slots.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Requests slots by account and notes the order in which they are granted. */
function requests(slots: Slots) {
  const granted: string[] = [];
  const taken = new Map<string, Disposable>();
  const aborting = new Map<string, AbortController>();
  return {
    granted,
    async request(...names: readonly string[]): Promise<void> {
      for (const name of names) {
        const controller = new AbortController();
        aborting.set(name, controller);
        slots.acquire({ key: name.charAt(0), signal: controller.signal }).then(
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

describe('Slots', () => {
  it('are limited per account', async () => {
    const slots = new Slots({ perKey: 2, total: 10 });
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
    const slots = new Slots({ perKey: 9, total: 2 });
    const { granted, request, finish } = requests(slots);
    await request('a1', 'a2', 'a3', 'a4');
    await finish('a1');
    await finish('a2');
    expect(granted).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect([slots.inUse, slots.waiting]).toEqual([2, 0]);
  });

  it('go to the account that holds the fewest, even if another account requested earlier', async () => {
    const { granted, request, finish } = requests(new Slots({ perKey: 9, total: 3 }));
    await request('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1');
    await finish('a1');
    await finish('a2');
    await finish('a3');
    expect(granted.slice(3)).toEqual(['b1', 'c1', 'a4']);
  });

  it('skip a request that was aborted', async () => {
    const slots = new Slots({ perKey: 1, total: 1 });
    const { granted, request, finish, giveUp } = requests(slots);
    await request('a1', 'b1', 'c1');
    await giveUp('b1');
    await finish('a1');
    expect(granted).toEqual(['a1', 'b1 gave up', 'c1']);
    await finish('c1');
    expect([slots.inUse, slots.waiting]).toEqual([0, 0]);
  });

  it('are not given to an aborted request', async () => {
    const slots = new Slots({ perKey: 1, total: 1 });
    await expect(slots.acquire({ key: 'a', signal: AbortSignal.abort('gave up') })).rejects.toBe('gave up');
    expect(slots.inUse).toBe(0);
    using _ = await slots.acquire({ key: 'a' });
    expect(slots.inUse).toBe(1);
  });

  it('are guaranteed once to an account that holds none, where that is set', async () => {
    const slots = new Slots({ perKey: 2, total: 2, guaranteesOne: true });
    const { granted, request, finish } = requests(slots);
    await request('a1', 'a2', 'a3', 'b1', 'b2');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    await finish('a1');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    await finish('a2');
    expect(granted).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect([slots.inUse, slots.waiting]).toEqual([2, 1]);
  });

  it('are given in the order of the requests where there are no keys', async () => {
    const slots = new Slots({ total: 1 });
    const granted: number[] = [];
    const first = await slots.acquire();
    const others = [1, 2, 3].map(async (number) => {
      using _ = await slots.acquire();
      granted.push(number);
    });
    first[Symbol.dispose]();
    await Promise.all(others);
    expect(granted).toEqual([1, 2, 3]);
  });

  it('are refused once too many requests wait, in total and of one key', async () => {
    const slots = new Slots({ total: 1, maxWaiting: 3, maxWaitingPerKey: 2 });
    const { granted, request, finish } = requests(slots);
    await request('a1', 'a2', 'a3', 'a4', 'b1', 'b2');
    expect(granted).toEqual(['a1', `a4 ${new SlotsFull()}`, `b2 ${new SlotsFull()}`]);
    await finish('a1');
    expect([slots.inUse, slots.waiting]).toEqual([1, 2]);
  });

  it('are released once, however often they are disposed of', async () => {
    const slots = new Slots({ total: 2 });
    const slot = await slots.acquire();
    using _ = await slots.acquire();
    for (let times = 0; times < 2; times += 1) slot[Symbol.dispose]();
    expect(slots.inUse).toBe(1);
  });

  it('leave no key behind', async () => {
    const slots = new Slots({ total: 4, perKey: 2 });
    const gone = new AbortController();
    const held = await Promise.all([slots.acquire({ key: 'a' }), slots.acquire({ key: 'a' })]);
    const waiting = slots.acquire({ key: 'a', signal: gone.signal });
    expect([slots.keys, slots.waitingOf('a')]).toEqual([1, 1]);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    for (const slot of held) slot[Symbol.dispose]();
    expect(slots.keys).toBe(0);
  });
});

describe('Work on many items', () => {
  it('runs so many at once, and gives the results in the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results = await mapLimit([5, 1, 4, 2, 3], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let rounds = 0; rounds < item; rounds += 1) await settled();
      running -= 1;
      return 10 * item;
    });
    expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
  });

  it('begins no further work after a failure', async () => {
    const begun: number[] = [];
    const work = mapLimit([1, 2, 3], 1, async (item) => {
      begun.push(item);
      throw new Error(`no ${item}`);
    });
    await expect(work).rejects.toThrow('no 1');
    await settled();
    expect(begun).toEqual([1]);
  });
});
