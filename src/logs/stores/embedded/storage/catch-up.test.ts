// An append that finds too many records waiting: files wait for the generation before theirs to be sealed, which is cheaper than an
// insertion, unless queries read the table or that generation stays.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { BatchFileFacts } from '#logs/log-store.ts';
import { writeBatchFile } from '#logs/parquet/batch-file.ts';
import { numberRecords } from '#logs/parquet/file-rows.ts';
import { type Instance, openInstance } from '#logs/runs/duckdb/instance.ts';
import { ColumnRegistry, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import { NO_LEAVES } from '#logs/stores/shared/leaves.ts';
import { plainFraming } from './frames.ts';
import { Generation } from './generation.ts';
import { InsertBacklog } from './insert-backlog.ts';
import { journalPath } from './journal.ts';
import { type Frame, readJournal } from './journal-frames.ts';
import { plainStorage } from './segment-storage.ts';

const NAME = '7 2';
/** Of other generations, more than may wait. */
const WAITING_BYTES = 65 * 1024 * 1024;

let folder: string;
let instance: Instance;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-catch-up-'));
  instance = await openInstance({ memoryBytes: 100_000_000 });
});
afterEach(async () => {
  await instance.end();
  rmSync(folder, { recursive: true, force: true });
});

it('waits for the older generation, and inserts nothing', async () => {
  const older = Promise.withResolvers<void>();
  const { generation, backlog, inserted } = await opened({ olderSealed: () => older.promise });
  let isAppended = false;
  const appended = append(generation, 1).then(() => {
    isAppended = true;
  });
  // Durable already, and seen by whoever asks.
  await expect.poll(() => generation.rows).toBe(2);
  expect(isAppended).toBe(false);
  backlog.add(-WAITING_BYTES);
  older.resolve();
  await appended;
  expect(generation.hot.isOfFiles).toBe(true);
  expect(await inserted()).toBe(0);
  await generation.hot.settled();
  expect(await inserted()).toBe(2);
  await generation.close();
});

it('inserts where the older generation could not be sealed, and where queries read', async () => {
  let asked = 0;
  const olderSealed = async () => {
    asked += 1;
  };
  const stuck = await opened({ olderSealed });
  await append(stuck.generation, 1);
  expect([await stuck.inserted(), asked]).toEqual([2, 1]);
  await stuck.generation.close();
  rmSync(journalPath(folder, 2));
  const read = await opened({ olderSealed, isRead: () => true, id: 2 });
  await append(read.generation, 1);
  expect([await read.inserted(), asked]).toEqual([2, 1]);
  await read.generation.close();
});

it('waits for no older generation while its own is being sealed, which waits for the append', async () => {
  const { generation, inserted } = await opened({ olderSealed: () => new Promise(() => {}) });
  const sealing = generation.whileSealing(Promise.resolve());
  await append(generation, 1);
  expect(await inserted()).toBe(2);
  await sealing;
  await generation.close();
});

async function opened({ olderSealed, isRead = () => false, id = 1 }: Opening) {
  const backlog = new InsertBacklog();
  backlog.add(WAITING_BYTES);
  const storage = plainStorage({ instance, folder, reportCorruption: () => fail() });
  const content = await readJournal(journalPath(folder, 2), plainFraming(), NAME);
  if ('idsUpTo' in content) return fail();
  const spec = { id, name: 'web', layout: 'columnar', compression: 'snappy' } as const;
  const generation = await Generation.open(spec, {
    number: 2,
    journalName: NAME,
    content,
    instance,
    backlog,
    leaves: () => NO_LEAVES,
    folder,
    begun: 0,
    isRead,
    olderSealed,
    examine: fail,
    scratch: (name) => storage.scratch(name),
  });
  const inserted = async () =>
    Number((await instance.run(`select count(*) as total from ${generation.hot.name}`))[0]?.total);
  return { generation, backlog, inserted };
}

interface Opening {
  olderSealed(): Promise<unknown>;
  isRead?(): boolean;
  readonly id?: number;
}

/** Two records as a file. */
async function append(generation: Generation, firstId: number): Promise<void> {
  const bytes = Buffer.from('{"text":"a"}\n{"text":"b"}\n');
  const batch = new LineScanner('UTC').scan({ bytes, begin: 0, end: bytes.length, arrival: 1, maxLineBytes: 100 });
  if (!batch) return fail();
  const registry = new ColumnRegistry(NOTHING_LEARNT);
  registry.fits('text', 'string');
  const target = Buffer.alloc(64 * 1024);
  const numbers = Uint16Array.from(batch.fields, ({ name, type }) => registry.numberOf(name, type));
  const facts: BatchFileFacts | undefined = writeBatchFile(batch, numbers, target);
  if (!facts) return fail();
  numberRecords(target, facts, firstId);
  const frame: Frame = { firstId, lines: Buffer.alloc(0), file: { ...facts, bytes: target } };
  await generation.append(frame, {
    rows: 2,
    minTime: 1,
    maxTime: 1,
    isSorted: true,
    days: new Map([['1970-01-01', 2]]),
    columns: new Map([['text', { type: 'VARCHAR' as const, number: 4 }]]),
  });
}

function fail(): never {
  throw new Error('the test has no such case');
}
