import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ENTRY_POINTS } from './warm-up.ts';

// The service ignores a failure of the warm-up, so a renamed module would only show as a slow first query.
it('The warm-up begins with modules that exist', async () => {
  const files = await Promise.all(ENTRY_POINTS.map((url) => readFile(url, 'utf8')));
  expect(files.map((text) => text.includes('export '))).toEqual(files.map(() => true));
});
