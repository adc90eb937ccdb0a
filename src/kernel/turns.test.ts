import { describe, expect, it } from 'vitest';
import { arrived, inTurns, letIn, turn } from './turns.ts';

const iteration = () => new Promise(setImmediate);

/** Somebody comes in with each turn of the event loop. */
async function coming(count: number, tell: () => void): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    arrived();
    tell();
    await iteration();
  }
}

describe('Turns', () => {
  it('come one after the other, each in a turn of the event loop', async () => {
    const told: string[] = [];
    const working = ['a', 'b', 'c'].map((name) => turn().then(() => told.push(name)));
    expect(told).toEqual([]);
    await iteration();
    await iteration();
    expect(told.length).toBeLessThan(3);
    await Promise.all(working);
    expect(told).toEqual(['a', 'b', 'c']);
  });

  it('wait for those who come in, but not for ever', async () => {
    const told: string[] = [];
    const door = coming(20, () => told.push('in'));
    const work = turn().then(() => told.push('work'));
    await Promise.all([door, work]);
    expect(told.indexOf('work')).toBeGreaterThanOrEqual(20);
    told.length = 0;
    const flood = coming(2000, () => told.push('in'));
    await turn();
    expect(told.length).toBeLessThan(1000);
    await flood;
  });

  it('are for those who have just come in, one by one, and for nobody else', async () => {
    await iteration();
    await iteration();
    expect(letIn()).toBeUndefined();
    arrived();
    const told: string[] = [];
    const begun = ['a', 'b'].map((name) => letIn()?.then(() => told.push(name)));
    expect(begun).not.toContain(undefined);
    await Promise.all(begun);
    expect(told).toEqual(['a', 'b']);
    await iteration();
    expect(letIn()).toBeUndefined();
  });

  it('are as many as a piece of work needs', async () => {
    function* steps() {
      for (let at = 0; at < 3; at += 1) {
        const until = performance.now() + 5;
        while (performance.now() < until);
        yield;
      }
      return 'done';
    }
    let turns = 0;
    const count = () => {
      turns += 1;
      if (turns < 100) setImmediate(count);
    };
    setImmediate(count);
    expect(await inTurns(steps())).toBe('done');
    expect(turns).toBeGreaterThan(2);
  });
});
