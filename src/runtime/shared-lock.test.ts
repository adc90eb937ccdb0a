import { expect, it } from 'vitest';
import { SharedLock } from './shared-lock.ts';

/** What has been granted by now. */
function granted(lock: SharedLock) {
  const order: string[] = [];
  const holds = new Map<string, Disposable>();
  const ask = (name: string, mode: 'share' | 'alone') =>
    void lock[mode]().then((hold) => {
      order.push(name);
      holds.set(name, hold);
    });
  return { order, ask, release: (name: string) => holds.get(name)?.[Symbol.dispose]() };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

it('is held by many together, or by one alone, in the order of the requests', async () => {
  const { order, ask, release } = granted(new SharedLock());
  ask('a', 'share');
  ask('b', 'share');
  ask('c', 'alone');
  ask('d', 'share');
  await soon();
  expect(order).toEqual(['a', 'b']);
  release('a');
  release('a');
  await soon();
  expect(order).toEqual(['a', 'b']);
  release('b');
  await soon();
  expect(order).toEqual(['a', 'b', 'c']);
  release('c');
  await soon();
  expect(order).toEqual(['a', 'b', 'c', 'd']);
});
