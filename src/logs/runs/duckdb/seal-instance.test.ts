import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openInstance } from './instance.ts';
import { SealInstance } from './seal-instance.ts';

/** Lists of groups are never spilled. */
const HUNGRY = 'select len(list(repeat(range::varchar, 20))) as n from range(400000)';

it('A statement without memory runs on the other instance, any other failure stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-seal-'));
  const other = await openInstance({ memoryBytes: 2 ** 30 });
  const seals = new SealInstance(folder, { memoryBytes: 16 * 2 ** 20, diskBytes: 2 ** 20 });
  const ran: string[] = [];
  const instance = await seals.orElse({
    ...other,
    run(sql, values) {
      ran.push(sql);
      return other.run(sql, values);
    },
  });
  const settings = "select current_setting('threads') as n, current_setting('max_temp_directory_size') as disk";
  expect(await instance.run(settings)).toEqual([{ n: 1n, disk: '1.0 MiB' }]);
  await expect(instance.run('select missing')).rejects.toThrow('missing');
  expect(ran).toEqual([]);
  expect(await instance.run(HUNGRY)).toEqual([{ n: 400_000n }]);
  expect(ran).toEqual([HUNGRY]);
  await seals.close();
  await other.end();
  rmSync(folder, { recursive: true, force: true });
});
