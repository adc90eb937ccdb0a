import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { ClearSegments, NoRoom } from '#logs/stores/embedded/protection/decrypted-segments.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { canMount, mountSmallDisk } from '#test/support/small-disk.ts';

const FOLDER = mkdtempSync('/dev/shm/vigil-test-');
const NOW = '2026-11-15T03:00:00Z';

afterAll(() => rmdirSync(FOLDER));

/** The files in memory that this process holds. */
function held(): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.startsWith(`${FOLDER}/`));
}

/** Files are closed in the background; a busy machine takes its time. */
const holdsSoon = (count: number): Promise<void> => expect.poll(held).toHaveLength(count);

describe('Decrypted segments', () => {
  const clock = new ManualClock(NOW);
  const filled: string[] = [];
  let copies = new ClearSegments({ folder: FOLDER, maxBytes: 100, clock });
  const borrow = (name: string, bytes = 40) =>
    copies.borrow(name, bytes, async ({ handle }) => {
      filled.push(name);
      await handle.write(name);
    });

  afterEach(async () => {
    await copies.close();
    copies = new ClearSegments({ folder: FOLDER, maxBytes: 100, clock });
    filled.length = 0;
    await holdsSoon(0);
  });

  it('are made once for all readers of one moment, and kept for the next reader', async () => {
    const all = await Promise.all([borrow('a'), borrow('a'), borrow('a')]);
    for (const copy of all) copy[Symbol.dispose]();
    (await borrow('a'))[Symbol.dispose]();
    expect(filled).toEqual(['a']);
    expect(held()).toHaveLength(1);
    expect(readdirSync(FOLDER)).toEqual([]);
  });

  it('leave, least recently used first, when there is no room for another', async () => {
    for (const name of ['a', 'b', 'a', 'c']) (await borrow(name))[Symbol.dispose]();
    (await borrow('a'))[Symbol.dispose]();
    expect(filled).toEqual(['a', 'b', 'c']);
    (await borrow('b'))[Symbol.dispose]();
    expect(filled).toEqual(['a', 'b', 'c', 'b']);
    await holdsSoon(2);
  });

  it('are never evicted while they are read: a reader without room is refused until there is some', async () => {
    const one = await borrow('a');
    const two = await borrow('b');
    await expect(borrow('c')).rejects.toBeInstanceOf(NoRoom);
    copies.forget('a');
    await expect(borrow('c')).rejects.toBeInstanceOf(NoRoom);
    expect(held()).toHaveLength(2);
    one[Symbol.dispose]();
    using _ = await borrow('c');
    two[Symbol.dispose]();
    await expect(borrow('d', 101)).rejects.toBeInstanceOf(NoRoom);
  });

  it('are dropped when they have had no reader for a while', async () => {
    const reading = await borrow('a');
    (await borrow('b'))[Symbol.dispose]();
    clock.advance({ minutes: 6 });
    await holdsSoon(1);
    reading[Symbol.dispose]();
    clock.advance({ minutes: 4 });
    expect(held()).toHaveLength(1);
    clock.advance({ minutes: 2 });
    await holdsSoon(0);
  });

  it('are made anew after a failure, with which all waiting readers reject', async () => {
    const failing = () =>
      copies.borrow('a', 40, async () => {
        throw new Error('not now');
      });
    const outcomes = await Promise.allSettled([failing(), failing()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await holdsSoon(0);
    (await borrow('a'))[Symbol.dispose]();
    expect(filled).toEqual(['a']);
  });
});

describe('An encrypted table', () => {
  let home: DuckdbHome;
  let spec: TableSpec;

  async function make(options: Parameters<typeof makeEngineHome>[0]): Promise<void> {
    home = await makeEngineHome(options);
    spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' }, 'encrypted');
  }
  const append = (n: number) => home.engine.append(spec, [record(`{"n":${n}}`, TIME + n)]);

  afterEach(async () => {
    await home[Symbol.asyncDispose]();
    await holdsSoon(0);
  });

  it('refuses to read what does not fit into memory, and reads it when it does', async () => {
    await make({ cacheBytes: 1500, memoryFolder: FOLDER });
    for (const n of [1, 2, 3]) {
      await append(n);
      await home.tick({ minutes: 6 });
    }
    const [{ bytes } = { bytes: 0 }] = await home.store.reader.all('select max(bytes) as bytes from log_segments');
    expect(Number(bytes)).toBeGreaterThan(500);
    await expect(home.read(spec)).rejects.toThrow('no memory left: web');
    const [first] = await home.read(spec, { range: {}, order: 'desc', offset: 0, limit: 1 });
    expect(first).toMatchObject({ n: 3 });
    expect(home.failures).toEqual([]);
  });

  it.skipIf(!canMount())(
    'joined with more fresh records than fit into memory is refused, and goes on later',
    async () => {
      const small = mkdtempSync(join(tmpdir(), 'vigil-memory-'));
      onTestFinished(() => rmdirSync(small));
      onTestFinished(mountSmallDisk(small, 1));
      await make({ memoryFolder: small });
      const plain = await home.createTable({ name: 'plain', layout: 'columnar', compression: 'snappy' });
      const noise = () => JSON.stringify({ n: 1, text: randomBytes(3000).toString('base64') });
      await append(1);
      const joined = () =>
        queryOn(home.engine, [spec, plain], 'table web | join type=inner n [ table plain ] | stats count');
      await home.engine.append(plain, [record(noise())]);
      expect((await joined()).rows).toEqual([[1]]);
      await home.engine.append(
        plain,
        Array.from({ length: 700 }, () => record(noise())),
      );
      await expect(joined()).rejects.toThrow('no memory left: web');
      await home.tick({ minutes: 6 });
      expect((await joined()).rows).toEqual([[701]]);
    },
  );

  it('is refused where the memory folder would put it on a disk', async () => {
    await make({ memoryFolder: tmpdir() });
    await expect(append(1)).rejects.toThrow('memory-folder is not usable');
    await expect(home.read(spec)).rejects.toThrow('memory-folder is not usable');
    expect(() => home.engine.requireMemoryFolder()).toThrow('memory-folder is not usable');
  });

  it('leaves no copy of a segment that was merged or of a table that was dropped', async () => {
    await make({ memoryFolder: FOLDER });
    for (const n of [1, 2, 3, 4]) {
      await append(n);
      await home.tick({ minutes: 6 });
      await home.read(spec);
    }
    await holdsSoon(1);
    await home.store.write((db) => db.deleteFrom('log_tables').execute());
    await home.engine.drop(spec);
    await holdsSoon(0);
  });

  it('puts nothing of staged records on a disk, however many there are', async () => {
    await make({ memoryFolder: FOLDER });
    const onDisk = () => {
      const files = globSync('**/*', { cwd: home.folder, withFileTypes: true }).filter((entry) => entry.isFile());
      return files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes('xyzzy'));
    };
    const staging = await home.engine.stage(spec);
    const records = (from: number) =>
      Array.from({ length: 130_000 }, (_, n) => record(`{"xyzzy":"xyzzy ${from + n}"}`, TIME + n));
    for (const round of [0, 1, 2]) {
      await staging.add(records(round * 130_000));
      expect(onDisk()).toEqual([]);
    }
    await staging.commit(async () => {});
    expect(onDisk()).toEqual([]);
    expect(await home.count(spec, { from: TIME + 1 })).toBe(3 * 129_999);
  });
});
