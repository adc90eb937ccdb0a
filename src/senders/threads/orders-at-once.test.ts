import { expect, it } from 'vitest';
import { ordersAtOnce } from './sender-threads.ts';

it('An account with many orders leaves permits to others, and none of its own is lost when clients go', async () => {
  const permits = ordersAtOnce(4);
  const begun: string[] = [];
  const order = (account: string, signal?: AbortSignal) =>
    permits.acquire({ key: account, signal }).then((permit) => {
      begun.push(account);
      return permit;
    });
  const [first, ...waiting] = Array.from({ length: 50 }, () => order('large'));
  const gone = new AbortController();
  const left = order('large', gone.signal);
  const others = [await order('small'), await order('other')];
  expect(begun).toEqual(['large', 'large', 'small', 'other']);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  (await first)?.[Symbol.dispose]();
  for (const permit of others) permit[Symbol.dispose]();
  for (const permit of waiting) (await permit)[Symbol.dispose]();
  expect(begun.filter((account) => account === 'large')).toHaveLength(50);
  expect(permits.keys).toBe(0);
});
