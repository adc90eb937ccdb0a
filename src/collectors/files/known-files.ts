// The files that a logger follows, and their current paths. A file is identified by device, inode and head, so it stays the
// same when it is renamed and becomes another file when it is truncated or replaced.
//
//   renamed, another made in its place     both are followed, the renamed one is read to its end first
//   copied, then emptied                   what was not read yet is read from the copy, then the file from its beginning
//   emptied                                read from its beginning
//   removed                                read to its end, because it was kept open
//   compressed before it was read          the rest is read once from the compressed file, if that begins as it did
//
// Only the most recently used files stay open where there are many.

import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CollectorDeps, CollectorError } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs/configs.ts';
import { mapLimit } from '#runtime/slots.ts';
import type { CollectedFileRow } from '#store/schema/collected-schema.ts';
import { CopyDetector } from './copy-detector.ts';
import { FollowedFile } from './followed-file.ts';
import { headOf, isHeadOf, isTailIn, NO_HEAD, readHead, tailBefore } from './head.ts';
import type { LineSource } from './lines.ts';
import {
  compressedCopiesOf,
  identityOf,
  isNamedAfter,
  type ListedFile,
  listFiles,
  MAX_FILES_AT_ONCE,
  siblingsOf,
} from './listing.ts';
import type { OpenShare } from './open-files.ts';
import { filesOf, insertFile, removeFile, setStartConfig, startConfigOf, updateFile } from './rows.ts';
import { unpack, unpackedHead } from './unpacked-file.ts';

/** A missing file may come back, for example when a disk is mounted again. */
const MAX_MISSING_MS = 24 * 60 * 60 * 1000;
/** For how long a file that begins like another one beside it may be a copy of it. */
const MAX_HELD_MS = 5 * 60 * 1000;

export class KnownFiles {
  readonly #configs: FileConfigs;
  readonly #deps: CollectorDeps;
  readonly #files: Map<number, FollowedFile>;
  readonly #share: OpenShare;
  /** Open files, the most recently used last. */
  readonly #open = new Set<FollowedFile>();
  /** Listings of the folders of missing files, for this scan. */
  readonly #siblings = new Map<string, Promise<ListedFile[]>>();

  private constructor(configs: FileConfigs, deps: CollectorDeps, files: readonly FollowedFile[]) {
    this.#configs = configs;
    this.#deps = deps;
    this.#files = new Map(files.map((file) => [file.id, file]));
    this.#share = deps.openFiles.newShare();
  }

  /** At the first start of a logger, `from` decides the initial offset of existing files. */
  static async open(configs: FileConfigs, deps: CollectorDeps, source: LineSource): Promise<KnownFiles> {
    const { store, engine, assignment, destination } = deps;
    const offsets = await engine.sourceOffsets(destination.table);
    const rows = await store.read((db) => filesOf(db, assignment.guid));
    const files = new KnownFiles(
      configs,
      deps,
      rows.map((row) => new FollowedFile(row, offsets)),
    );
    try {
      await files.#begin(offsets, source);
      return files;
    } catch (error) {
      await files.close();
      throw error;
    }
  }

  async #begin(offsets: ReadonlyMap<string, number>, source: LineSource): Promise<void> {
    const { store, assignment, folders } = this.#deps;
    const { path, pattern = null, from } = this.#configs;
    const begun = JSON.stringify({ path, pattern, from });
    await this.#forgetOffsets(offsets.keys());
    if ((await store.read((db) => startConfigOf(db, assignment.guid))) === begun) return;
    const listed = await listFiles(this.#configs, folders);
    await this.#forgetOthers(listed);
    const beginnings = await mapLimit(this.#unknown(listed), MAX_FILES_AT_ONCE, (one) => this.#startIn(one, source));
    const made = await store.write(async (db) => {
      await setStartConfig(db, assignment.guid, begun);
      const inserted: CollectedFileRow[] = [];
      for (const one of beginnings) inserted.push(await insertFile(db, { logger_guid: assignment.guid, ...one }));
      return inserted;
    });
    for (const row of made) this.#files.set(row.id, new FollowedFile(row, offsets));
  }

  /** Locates all files and returns them in reading order. */
  async scan(): Promise<FollowedFile[]> {
    this.#share.refreshLimit();
    this.#siblings.clear();
    const found = await listFiles(this.#configs, this.#deps.folders);
    const names = new Map(found.map((one) => [identityOf(one), one]));
    for (const file of [...this.#files.values()]) {
      // A file found to be a copy is removed from the map.
      if (this.#files.has(file.id)) await this.#locate(file, names);
    }
    const added = await this.#add(this.#unknown(found).map((one) => ({ ...one, position: 0 })));
    for (const file of added) await this.#refresh(file, 0);
    this.#requireReadable(found);
    const files = [...this.#files.values()].sort((a, b) => Number(b.isRenamed) - Number(a.isRenamed) || a.id - b.id);
    const copies = new CopyDetector(files, (file, work) => this.with(file, work));
    const readable: FollowedFile[] = [];
    for (const file of files) if (!(await copies.isCopy(file)) || !this.#holdBack(file)) readable.push(file);
    return readable;
  }

  /** Whether it is still held back: a copy is made before its original is emptied, which does not take long. */
  #holdBack(file: FollowedFile): boolean {
    const { clock, counters, assignment } = this.#deps;
    const now = clock.now().epochMilliseconds;
    if (file.heldSince === undefined) counters.fileHeldBack(assignment.guid);
    file.heldSince ??= now;
    return now - file.heldSince < MAX_HELD_MS;
  }

  /** Runs `work` with the file open; undefined where it cannot be opened. Not concurrent. */
  async with<T>(file: FollowedFile, work: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
    if (file.handle) {
      this.#keep(file, file.handle);
      return await work(file.handle);
    }
    if (!file.listed) return undefined;
    return await this.#share.open(file.listed, work, async (handle) => {
      if (!this.#share.hasRoom) await this.#releaseOldest();
      if (!this.#share.hasRoom) return false;
      this.#keep(file, handle);
      return true;
    });
  }

  /** Forgets missing files that are fully read, and closes files beyond the limit. */
  async cleanUp(): Promise<void> {
    const now = this.#deps.clock.now().epochMilliseconds;
    for (const file of [...this.#files.values()]) {
      file.previousSizeBytes = file.isRenamed ? file.sizeBytes : -1;
      file.missingSince = file.isMissing ? (file.missingSince ?? now) : undefined;
      if (file.missingSince === undefined) continue;
      const isOver = file.handle ? file.position >= file.sizeBytes : now - file.missingSince > MAX_MISSING_MS;
      if (isOver) await this.#forget(file);
    }
    for (let count = this.#open.size; count > 0 && this.#share.isTooLarge; count -= 1) await this.#releaseOldest();
  }

  async close(): Promise<void> {
    for (const file of [...this.#open]) await this.#release(file);
    this.#share.release();
  }

  #keep(file: FollowedFile, handle: FileHandle): void {
    file.handle = handle;
    this.#open.delete(file);
    this.#open.add(file);
  }

  async #release(file: FollowedFile): Promise<void> {
    const { handle } = file;
    file.handle = undefined;
    this.#open.delete(file);
    if (handle) await this.#share.close(handle);
  }

  async #releaseOldest(): Promise<void> {
    const oldest = this.#open.values().find(({ isClosable }) => isClosable);
    if (oldest) await this.#release(oldest);
  }

  /** Removes offsets of files that are no longer followed: a journal may have been sealed after they were forgotten. */
  async #forgetOffsets(sources: Iterable<string>): Promise<void> {
    const { store, engine, assignment } = this.#deps;
    const known = new Set([...this.#files.values()].map(({ source }) => source));
    const stale = [...sources].filter((source) => source.startsWith(`${assignment.guid}/`) && !known.has(source));
    if (stale.length > 0) await store.write((db) => engine.removeSourceOffsets(db, { sources: stale }));
  }

  /** Forgets files outside of a new configuration; rotated files of paths that stay are kept. */
  async #forgetOthers(listed: readonly ListedFile[]): Promise<void> {
    const identities = new Set(listed.map(identityOf));
    const paths = new Set(listed.map(({ path }) => path));
    const others = [...this.#files.values()].filter((file) => !identities.has(file.identity) && !paths.has(file.path));
    for (const file of others) await this.#forget(file);
  }

  #unknown(found: readonly ListedFile[]): ListedFile[] {
    const known = new Set([...this.#files.values()].map(({ identity }) => identity));
    return found.filter((one) => !known.has(identityOf(one)));
  }

  /** Files without stored lines. A copy may be listed before it is recognized. */
  #unread(found: readonly ListedFile[]): ListedFile[] {
    const read = new Set([...this.#files.values()].filter((file) => !file.isUnread).map(({ identity }) => identity));
    return found.filter((one) => !read.has(identityOf(one)));
  }

  async #forgetUnread(found: ListedFile): Promise<void> {
    const file = [...this.#files.values()].find(({ identity }) => identity === identityOf(found));
    if (file) await this.#forget(file);
  }

  #siblingsOf({ path }: FollowedFile): Promise<ListedFile[]> {
    const folder = dirname(path);
    const known = this.#siblings.get(folder) ?? siblingsOf(path, this.#deps.folders);
    this.#siblings.set(folder, known);
    return known;
  }

  /** Updates the path of a file. A truncated file continues in its copy, if there is any, and is forgotten otherwise. */
  async #locate(file: FollowedFile, names: Map<string, ListedFile>): Promise<void> {
    let found = names.get(file.identity);
    if (!found && !file.handle) {
      found = (await this.#siblingsOf(file)).find((one) => identityOf(one) === file.identity);
      if (found) names.set(file.identity, found);
    }
    file.listed = found;
    file.isRenamed = found?.path !== file.path;
    file.isMissing = !found && (await this.#isUnlinked(file));
    if (found && file.isIdle(found)) return;
    if (!found && !file.handle && (await this.#followCompressed(file))) return;
    if ((await this.#refresh(file, file.readUpTo)) !== false) return;
    await this.#release(file);
    await this.#followCopy(file, names);
  }

  /** Whether it is still the same file with at least `leastBytes`; undefined where it cannot be opened. */
  async #refresh(file: FollowedFile, leastBytes: number): Promise<boolean | undefined> {
    const isSame = await this.with(file, (handle) => file.isIn(handle, leastBytes));
    if (isSame) file.stamp = file.listed?.stamp ?? '';
    return isSame;
  }

  async #isUnlinked({ handle }: FollowedFile): Promise<boolean> {
    return !handle || (await handle.stat()).nlink === 0;
  }

  /** Continues a truncated or replaced file in the copy that was made before. */
  async #followCopy(file: FollowedFile, names: Map<string, ListedFile>): Promise<void> {
    const { store } = this.#deps;
    const beside = (await this.#siblingsOf(file)).filter(({ path }) => isNamedAfter(path, file.path));
    const unread = this.#unread(beside).sort((a, b) => b.sizeBytes - a.sizeBytes);
    for (const found of file.head.bytes === 0 ? [] : unread) {
      if (!(await this.#isCopyOf(file, found))) continue;
      names.set(identityOf(found), found);
      await this.#forgetUnread(found);
      if (found.sizeBytes < file.readUpTo) {
        await this.#add([{ ...found, position: found.sizeBytes }]);
        break;
      }
      file.moveTo(found);
      // Opened at once: rotation may compress it soon.
      await this.with(file, async () => undefined);
      await store.write((db) => updateFile(db, file.stored));
      return;
    }
    if (!(await this.#followCompressed(file))) await this.#forget(file);
  }

  /** Continues a file that is gone in the compressed file that was made of it. Resolves to whether there is one. */
  async #followCompressed(file: FollowedFile): Promise<boolean> {
    if (file.head.bytes === 0) return false;
    for (const found of await compressedCopiesOf(file.path, this.#deps.folders)) {
      const mark = `${identityOf(found)} ${found.stamp}`;
      if (file.otherCopies.has(mark)) continue;
      const head = await this.#share.open(found, (handle) => unpackedHead(handle, found.path));
      if (head && isHeadOf(file.head, head)) return await this.#unpack(file, found);
      if (head) file.otherCopies.add(mark);
    }
    return false;
  }

  async #unpack(file: FollowedFile, found: ListedFile): Promise<boolean> {
    const content = await this.#share.open(found, (handle) => unpack(handle, found.path, file.readUpTo));
    if (!content) return false;
    const { size } = await content.stat();
    if (size < file.readUpTo) {
      await content.close();
      return false;
    }
    file.unpackFrom(found, size);
    this.#keep(file, content);
    await this.#deps.store.write((db) => updateFile(db, file.stored));
    return true;
  }

  async #isCopyOf({ head, tail }: FollowedFile, found: ListedFile): Promise<boolean> {
    const isCopy = async (handle: FileHandle) =>
      isHeadOf(head, await readHead(handle)) && (tail === null || (await isTailIn(tail, handle, found.sizeBytes)));
    return (await this.#share.open(found, isCopy)) === true;
  }

  async #add(found: readonly (ListedFile & { readonly position: number })[]): Promise<FollowedFile[]> {
    if (found.length === 0) return [];
    const { store, assignment } = this.#deps;
    const rows = await store.write(async (db) => {
      const inserted: CollectedFileRow[] = [];
      for (const { path, device, inode, position } of found) {
        const head = { head_bytes: NO_HEAD.bytes, head_hash: NO_HEAD.hash, tail: null };
        inserted.push(await insertFile(db, { logger_guid: assignment.guid, path, device, inode, ...head, position }));
      }
      return inserted;
    });
    const files = rows.map((row) => new FollowedFile(row, new Map()));
    for (const [index, file] of files.entries()) {
      file.listed = found[index];
      this.#files.set(file.id, file);
    }
    return files;
  }

  async #forget(file: FollowedFile): Promise<void> {
    await this.#release(file);
    const { store, engine } = this.#deps;
    await store.write(async (db) => {
      await removeFile(db, file);
      await engine.removeSourceOffsets(db, { sources: [file.source] });
    });
    this.#files.delete(file.id);
  }

  #requireReadable(found: readonly ListedFile[]): void {
    const [first] = found;
    const isAnyOpen = [...this.#files.values()].some(({ handle, stamp }) => handle || stamp !== '');
    if (first && !isAnyOpen) throw new CollectorError(`file is not readable: ${first.path}`);
  }

  async #startIn(found: ListedFile, source: LineSource): Promise<Omit<CollectedFileRow, 'id' | 'logger_guid'>> {
    const { path, device, inode, sizeBytes } = found;
    const isAtEnd = this.#configs.from === 'end';
    const begun = await this.#share.open(found, async (handle) => {
      const position = isAtEnd ? await source.lineStartBefore(handle, sizeBytes) : 0;
      return { head: headOf(await readHead(handle)), position, tail: await tailBefore(handle, position) };
    });
    const { head, position, tail } = begun ?? { head: NO_HEAD, position: 0, tail: null };
    return { path, device, inode, head_bytes: head.bytes, head_hash: head.hash, position, tail };
  }
}
