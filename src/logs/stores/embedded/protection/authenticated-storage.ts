// Tables with a crypto profile but without encryption: files in clear, each with a MAC in the catalog that cannot be made
// without the key. A file is verified when this process first reads it, and again when its size, times or inode change.

import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readWhole } from '#files/whole.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { provenFraming } from '#logs/stores/embedded/storage/frames.ts';
import {
  plainStorage,
  replaceAtomically,
  type SegmentStorage,
  type SegmentStorageDeps,
} from '#logs/stores/embedded/storage/segment-storage.ts';
import type { ProfileKey } from '#vault/profile-key.ts';

const READ_BYTES = 1024 * 1024;
const MAC_BYTES = 32;
const NO_BYTES = Buffer.alloc(0);

interface AuthenticatedStorageDeps extends SegmentStorageDeps {
  readonly tableId: number;
  readonly key: ProfileKey;
}

export function authenticatedStorage(deps: AuthenticatedStorageDeps): SegmentStorage {
  const { folder, key, tableId, reportCorruption } = deps;
  const plain = plainStorage(deps);
  /** Size, times and inode of each file when its MAC was right. */
  const checked = new Map<string, string>();
  const macOf = (path: string, file: string) => fileMac(key, path, `segment ${tableId} ${file}`);

  /** Bound to the very content of the segment. */
  const filterMac = ({ file, mac }: Segment, content: Buffer) =>
    key.mac(`filter ${tableId} ${file} ${mac}`).update(content).digest();

  async function check({ file, mac }: Segment): Promise<void> {
    const path = join(folder, file);
    const looks = await looksOf(path);
    if (looks === undefined) throw reportCorruption(file, new Error('it is missing'));
    if (checked.get(file) === looks) return;
    if (mac === null || (await macOf(path, file)) !== mac) throw reportCorruption(file, new Error('its MAC is wrong'));
    checked.set(file, looks);
  }

  return {
    ...plain,
    framing: () => provenFraming(key),
    async borrow(segments) {
      for (const segment of segments) await check(segment);
      return await plain.borrow(segments);
    },
    async write(file, copy) {
      const path = join(folder, file);
      let mac = '';
      // Computed before the file has its name, under which another process could change it.
      await replaceAtomically(path, async (unfinished) => {
        await copy(unfinished);
        mac = await macOf(unfinished, file);
      });
      return { bytes: (await stat(path)).size, mac };
    },
    writeFilter: (segment, content) =>
      plain.writeFilter(segment, Buffer.concat([content, filterMac(segment, content)])),
    async readFilter(segment) {
      const file = await plain.readFilter(segment);
      const content = file?.subarray(0, -MAC_BYTES);
      return content && filterMac(segment, content).equals(file?.subarray(-MAC_BYTES) ?? NO_BYTES)
        ? content
        : undefined;
    },
    forget(file) {
      checked.delete(file);
      plain.forget(file);
    },
  };
}

/** Undefined when there is none. */
async function looksOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino}`;
}

async function fileMac(key: ProfileKey, path: string, label: string): Promise<string> {
  const mac = key.mac(label);
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  for (let at = 0; at < size; at += READ_BYTES) {
    mac.update(await readWhole(file, at, Math.min(READ_BYTES, size - at)));
  }
  return mac.digest('hex');
}
