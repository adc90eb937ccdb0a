// An instance that ends while others begin: in the worst case the process would end with it.

import { expect, it } from 'vitest';
import { openInstance } from './instance.ts';

it('An instance ends in order while connections to it are being opened', async () => {
  for (let round = 0; round < 150; round += 1) {
    const instance = await openInstance({ memoryBytes: 100_000_000, threads: 1 });
    const before = [1, 2, 3].map((n) => instance.run(`select ${n} as n`));
    const ending = round % 2 === 0 ? instance.end() : instance.close();
    const meanwhile = instance.run('select 4 as n');
    await Promise.allSettled([...before, meanwhile, ending]);
    await expect(ending).resolves.toBeUndefined();
  }
});
