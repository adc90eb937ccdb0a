// Encrypted tables. Files on disk are ciphertext; DuckDB reads and writes files without a name in memory.

import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noMemoryLeft } from '#contract/errors.ts';
import { readWhole } from '#files/whole.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { makeMemoryFile } from '#logs/runs/duckdb/memory-files.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { encryptedFraming } from '#logs/stores/embedded/storage/frames.ts';
import {
  filterFile,
  replaceAtomically,
  type SegmentStorage,
  type SegmentStorageDeps,
} from '#logs/stores/embedded/storage/segment-storage.ts';
import { decryptFile, encryptFile, Tampered } from '#vault/file-cipher.ts';
import type { ProfileKey } from '#vault/profile-key.ts';
import { asNoRoom, type ClearSegments, type Copy, NoRoom } from './decrypted-segments.ts';

/** Segments that one reader has decrypted at the same time. */
const AT_ONCE = 4;

interface EncryptedStorageDeps extends SegmentStorageDeps {
  readonly spec: TableSpec;
  readonly key: ProfileKey;
  readonly memoryFolder: string;
  readonly copies: ClearSegments;
}

export function encryptedStorage(deps: EncryptedStorageDeps): SegmentStorage {
  const { instance, folder, spec, key, memoryFolder, copies, reportCorruption } = deps;
  const labelOf = (file: string) => `segment ${spec.id} ${file}`;
  const columnsLabel = `columns ${spec.id}`;

  async function copyOf({ file, bytes }: Segment): Promise<Copy> {
    const path = join(folder, file);
    return await copies.borrow(path, bytes, async ({ handle }) => {
      await using source = await open(path, 'r').catch((cause) => {
        throw reportCorruption(file, cause);
      });
      await decryptFile(source, handle, key, labelOf(file)).catch((cause) => {
        throw cause instanceof Tampered ? reportCorruption(file, cause) : cause;
      });
    });
  }

  return {
    instance,
    isSecret: true,
    framing: (journal) => encryptedFraming(key, `journal ${spec.id} ${journal}`),
    columnsText: (columns) => key.sealText(JSON.stringify(columns), columnsLabel),
    columnsOf(text) {
      const opened = key.openText(text, columnsLabel);
      if (opened === undefined) throw reportCorruption('columns in the catalog');
      return JSON.parse(opened);
    },
    borrow: (segments) => withinMemory(spec, () => allCopies(segments, copyOf)),
    async write(file, copy) {
      await using memory = await makeMemoryFile(memoryFolder);
      await copy(memory.path);
      let bytes = 0;
      await replaceAtomically(join(folder, file), async (unfinished) => {
        await using target = await open(unfinished, 'w', 0o600);
        bytes = await encryptFile(memory.handle, target, key, labelOf(file));
      });
      return { bytes, mac: null };
    },
    async scratch() {
      const { handle, path, [Symbol.asyncDispose]: dispose } = await makeMemoryFile(memoryFolder);
      const append = (lines: string | Buffer) => withinMemory(spec, () => handle.appendFile(lines).catch(asNoRoom));
      return { path, append, [Symbol.asyncDispose]: dispose };
    },
    writeFilter: ({ file }, content) => encryptFilter(file, content, deps),
    readFilter: ({ file }) => decryptFilter(file, deps),
    forget(file) {
      copies.forget(join(folder, file));
      void rm(join(folder, filterFile(file)), { force: true });
    },
    blame: async () => undefined,
  };
}

const filterLabel = (file: string, { spec }: EncryptedStorageDeps): string => `filter ${spec.id} ${file}`;

async function encryptFilter(file: string, content: Buffer, deps: EncryptedStorageDeps): Promise<number> {
  await using memory = await makeMemoryFile(deps.memoryFolder);
  await memory.handle.writeFile(content);
  const path = join(deps.folder, filterFile(file));
  await using target = await open(`${path}.unfinished`, 'w', 0o600);
  const bytes = await encryptFile(memory.handle, target, deps.key, filterLabel(file, deps));
  await rename(`${path}.unfinished`, path);
  return bytes;
}

async function decryptFilter(file: string, deps: EncryptedStorageDeps): Promise<Buffer | undefined> {
  await using memory = await makeMemoryFile(deps.memoryFolder);
  await using source = await open(join(deps.folder, filterFile(file)), 'r').catch(() => undefined);
  if (!source) return undefined;
  try {
    await decryptFile(source, memory.handle, deps.key, filterLabel(file, deps));
  } catch (error) {
    if (error instanceof Tampered) return undefined;
    throw error;
  }
  return await readWhole(memory.handle, 0, (await memory.handle.stat()).size);
}

async function allCopies(segments: readonly Segment[], copyOf: (segment: Segment) => Promise<Copy>) {
  const copies: Copy[] = [];
  const release = () => {
    for (const copy of copies) copy[Symbol.dispose]();
  };
  for (let from = 0; from < segments.length; from += AT_ONCE) {
    const some = await Promise.allSettled(segments.slice(from, from + AT_ONCE).map(copyOf));
    copies.push(...some.filter((one) => one.status === 'fulfilled').map(({ value }) => value));
    const failed = some.find((one) => one.status === 'rejected');
    if (failed) {
      release();
      throw failed.reason;
    }
  }
  return { paths: copies.map(({ path }) => path), [Symbol.dispose]: release };
}

async function withinMemory<T>({ name }: TableSpec, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof NoRoom ? Object.assign(noMemoryLeft(name), { cause }) : cause;
  }
}
