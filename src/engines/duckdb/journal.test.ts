import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Generation } from './generation.ts';
import { openDuck } from './instance.ts';
import { Journal, journalPath, readJournal } from './journal.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-journal-'));
  path = journalPath(folder, 1);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const frame = (firstId: number) => ({ firstId, text: `{"_id":${firstId},"한글":"\\n"}\n` });
const idsIn = async () => (await readJournal(path)).frames.map(({ firstId }) => firstId);

it('gives back the frames in their order, of one flush or of many', async () => {
  const journal = await Journal.open(path, 0);
  await journal.append(frame(1));
  await Promise.all([2, 3, 4].map((id) => journal.append(frame(id))));
  await journal.close();
  expect((await readJournal(path)).frames).toEqual([1, 2, 3, 4].map(frame));
});

it('forgets what was withdrawn, and nothing else', async () => {
  const journal = await Journal.open(path, 0);
  await Promise.all([1, 2, 3].map((id) => journal.append(frame(id))));
  await journal.withdraw(frame(2));
  await journal.append(frame(4));
  await journal.close();
  expect(await idsIn()).toEqual([1, 3, 4]);
});

it('goes on before whatever a crash left behind the last whole frame', async () => {
  const journal = await Journal.open(path, 0);
  await journal.append(frame(1));
  await journal.append(frame(2));
  await journal.close();
  const whole = readFileSync(path);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }), async (length, noise) => {
      rmSync(path);
      appendFileSync(path, whole.subarray(0, length));
      appendFileSync(path, noise);
      const { frames, sizeBytes } = await readJournal(path);
      const reopened = await Journal.open(path, sizeBytes);
      await reopened.append(frame(9));
      await reopened.close();
      expect(await idsIn()).toEqual([...frames.map(({ firstId }) => firstId), 9]);
      expect(frames.length).toBeGreaterThanOrEqual(length === whole.length ? 2 : length >= whole.length / 2 ? 1 : 0);
    }),
    { numRuns: 60 },
  );
});

it('does not bring a batch back that was refused because there was no memory for it', async () => {
  const spec = { id: 1, name: 'web', layout: 'columnar', compression: 'snappy' } as const;
  const parts = { folder, begun: 0, examine: () => facts(1) };
  const text = `{"_id":1,"_time":1,"text":"${'x'.repeat(1000)}"}\n`.repeat(100_000);
  {
    // A file where the folder should be: what does not fit into memory cannot go anywhere else.
    appendFileSync(join(folder, 'spill'), '');
    const duck = await openDuck({ spillFolder: join(folder, 'spill'), memoryLimit: '30MB' });
    const generation = await Generation.open(spec, 1, { ...parts, duck });
    const small = { firstId: 500_000, text: '{"_id":500000,"_time":1,"text":"kept"}\n' };
    await generation.append(small, facts(1));
    await expect(generation.append({ firstId: 1, text }, facts(100_000))).rejects.toThrow();
    await generation.append({ ...small, firstId: 500_001 }, facts(1));
    expect(generation.rows).toBe(2);
    await generation.settled();
    duck.close();
  }
  expect(await idsIn()).toEqual([500_000, 500_001]);
});

const facts = (rows: number) => ({
  rows,
  minTime: 1,
  maxTime: 1,
  days: new Set(['1970-01-01']),
  columns: new Map([['text', 'VARCHAR' as const]]),
});
