import { createSecretKey } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Instance, openInstance } from '#logs/runs/duckdb/instance.ts';
import { NO_LEAVES } from '#logs/stores/shared/leaves.ts';
import { ProfileKey } from '#vault/profile-key.ts';
import { encryptedFraming, type Framing, plainFraming, provenFraming } from './frames.ts';
import { Generation } from './generation.ts';
import { InsertBacklog } from './insert-backlog.ts';
import { Journal, journalPath } from './journal.ts';
import { type Frame, readJournal } from './journal-frames.ts';

const NAME = '7 1';
const key = new ProfileKey('aes-256-gcm', createSecretKey(Buffer.alloc(32, 7)).export());
const framings: [string, () => Framing][] = [
  ['in clear', plainFraming],
  ['with proofs', () => provenFraming(key)],
  ['encrypted', () => encryptedFraming(key, NAME)],
];

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-journal-'));
  path = journalPath(folder, 1);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const frame = (firstId: number) => ({ firstId, lines: Buffer.from(`{"_id":${firstId},"한글":"\\n"}\n`) });

async function read(framing: Framing, name = NAME) {
  const content = await readJournal(path, framing, name);
  if ('idsUpTo' in content) throw new Error('it is damaged');
  return content;
}

const reopened = async (framing: Framing) => Journal.open(path, { name: NAME, ...(await read(framing)) });
const idsIn = async (framing: Framing) => (await read(framing)).frames.map(({ firstId }) => firstId);

async function written(framing: Framing, ids: readonly number[]): Promise<Buffer> {
  const journal = await reopened(framing);
  for (const id of ids) await journal.append(frame(id));
  await journal.close();
  return readFileSync(path);
}

describe.each(framings)('A journal %s', (_, make) => {
  const framing = make();

  it('gives back the frames in their order, of one flush or of many', async () => {
    const journal = await reopened(framing);
    await journal.append(frame(1));
    await Promise.all([2, 3, 4].map((id) => journal.append(frame(id))));
    await journal.close();
    expect((await read(framing)).frames).toEqual([1, 2, 3, 4].map(frame));
  });

  it('forgets what was withdrawn, and nothing else', async () => {
    const journal = await reopened(framing);
    await Promise.all([1, 2, 3].map((id) => journal.append(frame(id))));
    await journal.withdraw(frame(2));
    await journal.append(frame(4));
    await journal.close();
    expect(await idsIn(framing)).toEqual([1, 3, 4]);
  });

  it('goes on before whatever a crash left: a frame cut short, or pages that were never written', async () => {
    const first = await written(framing, [1]);
    const whole = await written(framing, [2]);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.constantFrom(0, 4, 40, 5000), async (length, zeros) => {
        writeFileSync(path, Buffer.concat([whole.subarray(0, length), Buffer.alloc(zeros)]));
        const { frames } = await read(framing);
        const journal = await reopened(framing);
        await journal.append(frame(9));
        await journal.close();
        expect(await idsIn(framing)).toEqual([...frames.map(({ firstId }) => firstId), 9]);
        expect(frames.length).toBe(length === whole.length ? 2 : length >= first.length ? 1 : 0);
      }),
      { numRuns: 60 },
    );
  });

  it('is damaged when any byte of it is another one, the last frame included', async () => {
    const whole = await written(framing, [1, 2, 3]);
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x15;
      writeFileSync(path, changed);
      expect(await readJournal(path, framing, NAME), `byte ${at}`).toHaveProperty('idsUpTo');
    }
  });

  it('is damaged when pages in its middle read as zeros', async () => {
    const whole = await written(framing, [1, 2, 3]);
    const changed = Buffer.from(whole).fill(0, framing.preambleBytes, framing.preambleBytes + 60);
    writeFileSync(path, changed);
    const content = await readJournal(path, framing, NAME);
    expect(content).toHaveProperty('idsUpTo');
    expect('idsUpTo' in content && content.idsUpTo).toBeGreaterThan(3);
  });

  it('takes no frame that stood elsewhere', async () => {
    const first = await written(framing, [1]);
    const both = await written(framing, [2]);
    const one = both.subarray(framing.preambleBytes, first.length);
    const two = both.subarray(first.length);
    writeFileSync(path, Buffer.concat([both.subarray(0, framing.preambleBytes), two, one]));
    expect(await readJournal(path, framing, NAME)).toHaveProperty('idsUpTo');
    writeFileSync(path, both);
    expect(await readJournal(path, framing, '7 2')).toHaveProperty('idsUpTo');
  });
});

describe('A journal under a key', () => {
  it.each(framings.slice(1))('%s does not open with another one', async (_, make) => {
    await written(make(), [1, 2]);
    const other = new ProfileKey('aes-256-gcm', Buffer.alloc(32, 8));
    const framing = make().preambleBytes === 0 ? provenFraming(other) : encryptedFraming(other, NAME);
    expect(await readJournal(path, framing, NAME)).toHaveProperty('idsUpTo');
  });

  it('holds nothing that can be read, and no two frames alike', async () => {
    const whole = await written(encryptedFraming(key, NAME), [1, 1]);
    expect(whole.includes('한글')).toBe(false);
    expect(whole.includes('_id')).toBe(false);
  });
});

it('does not bring a batch back that was refused because there was no memory for it', async () => {
  const spec = { id: 1, name: 'web', layout: 'columnar', compression: 'snappy' } as const;
  const framing = plainFraming();
  const deps = { folder, ...alone(), begun: 0, examine: recovered };
  const lines = Buffer.from(`{"_id":1,"_time":1,"text":"${'x'.repeat(1000)}"}\n`.repeat(100_000));
  {
    // A file where the folder should be: what does not fit into memory cannot go anywhere else.
    appendFileSync(join(folder, 'spill'), '');
    const instance = await openInstance({ spillFolder: join(folder, 'spill'), memoryBytes: 30_000_000 });
    const content = await read(framing);
    const generation = await Generation.open(spec, { ...deps, number: 1, journalName: NAME, content, instance });
    const small = { firstId: 500_000, lines: Buffer.from('{"_id":500000,"_time":1,"text":"kept"}\n') };
    await generation.append(small, facts(1));
    await expect(generation.append({ firstId: 1, lines }, facts(100_000))).rejects.toThrow();
    await generation.append({ ...small, firstId: 500_001 }, facts(1));
    expect(generation.rows).toBe(2);
    await generation.close();
    instance.close();
  }
  expect(await idsIn(framing)).toEqual([500_000, 500_001]);
});

it('inserts each acknowledged batch once, also after failures, and takes none meanwhile', async () => {
  const spec = { id: 1, name: 'web', layout: 'columnar', compression: 'snappy' } as const;
  const instance = await openInstance({ memoryBytes: 100_000_000 });
  let failures = 0;
  const failing: Instance = {
    ...instance,
    run(sql, values) {
      if (!sql.startsWith('insert') || failures === 0) return instance.run(sql, values);
      failures -= 1;
      return Promise.reject(new Error('no memory'));
    },
  };
  const content = await read(plainFraming());
  const deps = { folder, ...alone(), begun: 0, examine: recovered, instance: failing };
  const generation = await Generation.open(spec, { ...deps, number: 1, journalName: NAME, content });
  const batch = (id: number) => ({ firstId: id, lines: Buffer.from(`{"_id":${id},"_time":1,"text":"한글"}\n`) });
  const idsOf = async () =>
    (await instance.run(`select _id from ${generation.hot.name} order by all`)).map(Object.values);
  failures = 1;
  await Promise.all([1, 2, 3].map((id) => generation.append(batch(id), facts(1))));
  await generation.hot.settled();
  expect(await idsOf()).toEqual([[1n], [2n], [3n]]);
  failures = 3;
  await generation.append(batch(4), facts(1));
  await expect(generation.hot.settled()).rejects.toThrow('no memory');
  await expect(generation.append(batch(5), facts(1))).rejects.toThrow('no memory');
  await generation.append(batch(6), facts(1));
  await generation.hot.settled();
  expect(await idsOf()).toEqual([[1n], [2n], [3n], [4n], [6n]]);
  await generation.close();
  instance.close();
  expect(await idsIn(plainFraming())).toEqual([1, 2, 3, 4, 6]);
});

const alone = () => ({
  backlog: new InsertBacklog(),
  leaves: () => NO_LEAVES,
  isRead: () => true,
  olderSealed: () => Promise.resolve(),
  scratch: () => Promise.reject(new Error('no records come as a file')),
});

const recovered = (frame: Frame) => ({ frame, facts: facts(1) });

const facts = (rows: number) => ({
  rows,
  minTime: 1,
  maxTime: 1,
  days: new Map([['1970-01-01', rows]]),
  isSorted: true,
  columns: new Map([['text', { type: 'VARCHAR' as const, number: 4 }]]),
});
