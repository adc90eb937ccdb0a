import { describe, expect, it } from 'vitest';
import { FairSlots } from './fair-slots.ts';

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for places by account and writes down who got one, in order. */
function arriving(places: FairSlots) {
  const admitted: string[] = [];
  const taken = new Map<string, Disposable>();
  const leaving = new Map<string, AbortController>();
  return {
    admitted,
    async arrive(...names: readonly string[]): Promise<void> {
      for (const name of names) {
        const controller = new AbortController();
        leaving.set(name, controller);
        places.acquire(name.charAt(0), controller.signal).then(
          (place) => {
            admitted.push(name);
            taken.set(name, place);
          },
          (reason) => admitted.push(`${name} ${reason}`),
        );
      }
      await settled();
    },
    async finish(name: string): Promise<void> {
      taken.get(name)?.[Symbol.dispose]();
      await settled();
    },
    async giveUp(name: string): Promise<void> {
      leaving.get(name)?.abort('left');
      await settled();
    },
  };
}

describe('Fair places', () => {
  it('are as many for an account as it may have, and no more', async () => {
    const places = new FairSlots({ perAccount: 2, total: 10 });
    const { admitted, arrive, finish } = arriving(places);
    await arrive('a1', 'a2', 'a3', 'a4', 'b1');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    expect([places.inUse, places.waiting]).toEqual([3, 2]);
    await finish('b1');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    await finish('a2');
    expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are no more in all than may be, and the others follow in order', async () => {
    const places = new FairSlots({ perAccount: 9, total: 2 });
    const { admitted, arrive, finish } = arriving(places);
    await arrive('a1', 'a2', 'a3', 'a4');
    await finish('a1');
    await finish('a2');
    expect(admitted).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect([places.inUse, places.waiting]).toEqual([2, 0]);
  });

  it('go to the account that has the fewest, however many of another came before', async () => {
    const { admitted, arrive, finish } = arriving(new FairSlots({ perAccount: 9, total: 3 }));
    await arrive('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1');
    await finish('a1');
    await finish('a2');
    await finish('a3');
    expect(admitted.slice(3)).toEqual(['b1', 'c1', 'a4']);
  });

  it('forget whoever gives up, and its place is another’s', async () => {
    const places = new FairSlots({ perAccount: 1, total: 1 });
    const { admitted, arrive, finish, giveUp } = arriving(places);
    await arrive('a1', 'b1', 'c1');
    await giveUp('b1');
    await finish('a1');
    expect(admitted).toEqual(['a1', 'b1 left', 'c1']);
    await finish('c1');
    expect([places.inUse, places.waiting]).toEqual([0, 0]);
  });

  it('are not for whoever has given up already', async () => {
    const places = new FairSlots({ perAccount: 1, total: 1 });
    await expect(places.acquire('a', AbortSignal.abort('left'))).rejects.toBe('left');
    expect(places.inUse).toBe(0);
    using _ = await places.acquire('a', NEVER);
    expect(places.inUse).toBe(1);
  });

  it('are one for an account that has none, where that is said, however many others have', async () => {
    const places = new FairSlots({ perAccount: 2, total: 2, guaranteesOne: true });
    const { admitted, arrive, finish } = arriving(places);
    await arrive('a1', 'a2', 'a3', 'b1', 'b2');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    await finish('a1');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    await finish('a2');
    expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect([places.inUse, places.waiting]).toEqual([2, 1]);
  });
});
