import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';

const MANY = { perAccount: 100, inAll: 100 };
const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for places by account and writes down who got one, in order. */
function arriving(admission: Admission) {
  const admitted: string[] = [];
  const places = new Map<string, Disposable>();
  const leaving = new Map<string, AbortController>();
  return {
    admitted,
    async arrive(...names: readonly string[]): Promise<void> {
      for (const name of names) {
        const controller = new AbortController();
        leaving.set(name, controller);
        admission.enter(name.charAt(0), controller.signal).then(
          (place) => {
            admitted.push(name);
            places.set(name, place);
          },
          (reason) => admitted.push(`${name} ${reason}`),
        );
      }
      await settled();
    },
    async finish(name: string): Promise<void> {
      places.get(name)?.[Symbol.dispose]();
      await settled();
    },
    async giveUp(name: string): Promise<void> {
      leaving.get(name)?.abort('left');
      await settled();
    },
  };
}

describe('Admission', () => {
  it('lets an account run as many as it may, and no more', async () => {
    const admission = new Admission({ perAccount: 2, inAll: 10 }, MANY);
    const { admitted, arrive, finish } = arriving(admission);
    await arrive('a1', 'a2', 'a3', 'a4', 'b1');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    expect([admission.running, admission.waiting]).toEqual([3, 2]);
    await finish('b1');
    expect(admitted).toEqual(['a1', 'a2', 'b1']);
    await finish('a2');
    expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('lets no more run in all than may, and the others follow in order', async () => {
    const admission = new Admission({ perAccount: 9, inAll: 2 }, MANY);
    const { admitted, arrive, finish } = arriving(admission);
    await arrive('a1', 'a2', 'a3', 'a4');
    await finish('a1');
    await finish('a2');
    expect(admitted).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect([admission.running, admission.waiting]).toEqual([2, 0]);
  });

  it('gives a free place to the account that has the fewest, however many of another came before', async () => {
    const { admitted, arrive, finish } = arriving(new Admission({ perAccount: 9, inAll: 3 }, MANY));
    await arrive('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1');
    await finish('a1');
    await finish('a2');
    await finish('a3');
    expect(admitted.slice(3)).toEqual(['b1', 'c1', 'a4']);
  });

  it('forgets whoever gives up, and its place is another’s', async () => {
    const admission = new Admission({ perAccount: 1, inAll: 1 }, MANY);
    const { admitted, arrive, finish, giveUp } = arriving(admission);
    await arrive('a1', 'b1', 'c1');
    await giveUp('b1');
    await finish('a1');
    expect(admitted).toEqual(['a1', 'b1 left', 'c1']);
    await finish('c1');
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it('does not let in whoever has given up already', async () => {
    const admission = new Admission({ perAccount: 1, inAll: 1 }, MANY);
    await expect(admission.enter('a', AbortSignal.abort('left'))).rejects.toBe('left');
    expect(admission.running).toBe(0);
    using _ = await admission.enter('a', NEVER);
    expect(admission.running).toBe(1);
  });

  it('refuses who could not even wait, and counts those that are on their way', async () => {
    const admission = new Admission({ perAccount: 1, inAll: 2 }, { perAccount: 1, inAll: 2 });
    const { arrive, finish } = arriving(admission);
    const announced = (account: string) => {
      using _ = admission.announce(account);
    };
    const refusal = expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } });
    {
      using _one = admission.announce('a');
      using _two = admission.announce('a');
      expect(() => announced('a')).toThrow(refusal);
      announced('b');
    }
    await arrive('a1', 'a2');
    expect(() => announced('a')).toThrow(refusal);
    announced('b');
    await arrive('b1', 'c1');
    expect(() => announced('d')).toThrow(refusal);
    await finish('a1');
    announced('d');
  });
});
