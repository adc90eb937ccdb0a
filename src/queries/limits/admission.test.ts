import { expect, it } from 'vitest';
import { Admission } from './admission.ts';

const NEVER = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('Admission refuses who could not even wait, and counts those that are on their way', async () => {
  const admission = new Admission({ perAccount: 1, total: 2 }, { perAccount: 1, total: 2 });
  const announced = (account: string) => {
    using _ = admission.announce(account);
  };
  const arrive = (...accounts: readonly string[]) => accounts.map((account) => admission.enter(account, NEVER));
  const refusal = expect.objectContaining({ status: 429, headers: { 'retry-after': '1' } });
  {
    using _one = admission.announce('a');
    using _two = admission.announce('a');
    expect(() => announced('a')).toThrow(refusal);
    announced('b');
  }
  const [first] = arrive('a', 'a');
  expect(() => announced('a')).toThrow(refusal);
  announced('b');
  arrive('b', 'c');
  expect(() => announced('d')).toThrow(refusal);
  expect([admission.running, admission.waiting]).toEqual([2, 2]);
  (await first)?.[Symbol.dispose]();
  await settled();
  announced('d');
});
