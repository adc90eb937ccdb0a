// Which files a logger follows, and where they are now. A file is known by its device and inode and by how it begins, so it
// stays the same when it is renamed, and becomes another one when it is emptied or replaced.
//
//   renamed, another made in its place     both are followed, the renamed one is read to its end first
//   copied, then emptied                   what was not read yet is read from the copy, then the file from its beginning
//   emptied                                read from its beginning
//   removed                                read to its end, because it was kept open
//
// Not all can be kept open where there are many: then it is those that were used last.

import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CollectorDeps, CollectorError } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs.ts';
import { removeSourceOffsets } from '#engines/duckdb/storage/catalog.ts';
import type { CollectedFileRow } from '#store/collected-schema.ts';
import { CopyDetector } from './copy-detector.ts';
import { FollowedFile } from './followed-file.ts';
import { headOf, isHeadOf, NO_HEAD, readHead } from './head.ts';
import type { LineSource } from './lines.ts';
import { identityOf, isNamedAfter, type ListedFile, listFiles, siblingsOf } from './listing.ts';
import { mapLimit } from './map-limit.ts';
import type { OpenShare } from './open-files.ts';
import { filesOf, insertFile, removeFile, setStartConfig, startConfigOf, updateFile } from './rows.ts';

/** A file that is not where it was may come back: a disk that was not mounted for a while, say. */
const MAX_MISSING_MS = 24 * 60 * 60 * 1000;

export class KnownFiles {
  readonly #configs: FileConfigs;
  readonly #deps: CollectorDeps;
  readonly #files: Map<number, FollowedFile>;
  readonly #share: OpenShare;
  /** Those that are kept open, the one that was used last at the end. */
  readonly #open = new Set<FollowedFile>();
  /** What there is in the folders of files that are not where they were, as of this look. */
  readonly #siblings = new Map<string, Promise<ListedFile[]>>();

  private constructor(configs: FileConfigs, deps: CollectorDeps, files: readonly FollowedFile[]) {
    this.#configs = configs;
    this.#deps = deps;
    this.#files = new Map(files.map((file) => [file.id, file]));
    this.#share = deps.openFiles.newShare();
  }

  /** Where a logger looks for files for the first time, `from` says where it begins with those that are there. */
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
    const beginnings = await mapLimit(this.#unknown(listed), (one) => this.#startIn(one, source));
    const made = await store.write(async (db) => {
      await setStartConfig(db, assignment.guid, begun);
      const inserted: CollectedFileRow[] = [];
      for (const one of beginnings) inserted.push(await insertFile(db, { logger_guid: assignment.guid, ...one }));
      return inserted;
    });
    for (const row of made) this.#files.set(row.id, new FollowedFile(row, offsets));
  }

  /** Finds out where all files are, in the order in which they are to be read. */
  async scan(): Promise<FollowedFile[]> {
    this.#share.renew();
    this.#siblings.clear();
    const found = await listFiles(this.#configs, this.#deps.folders);
    const names = new Map(found.map((one) => [identityOf(one), one]));
    for (const file of [...this.#files.values()]) {
      // It may have turned out to be the copy of another.
      if (this.#files.has(file.id)) await this.#locate(file, names);
    }
    const added = await this.#add(this.#unknown(found).map((one) => ({ ...one, position: 0 })));
    for (const file of added) await this.#refresh(file, 0);
    this.#requireReadable(found);
    const files = [...this.#files.values()].sort((a, b) => Number(b.isRenamed) - Number(a.isRenamed) || a.id - b.id);
    const copies = new CopyDetector(files, (file, work) => this.with(file, work));
    const readable: FollowedFile[] = [];
    for (const file of files) if (!(await copies.isCopy(file))) readable.push(file);
    return readable;
  }

  /** Works on the file, which is opened if need be; undefined where that cannot be. One at a time. */
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

  /** Lets go of files that are gone and read to their end, and of more open files than there should be. */
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

  /** Of files that are followed no more: a journal may have been sealed after they were forgotten. */
  async #forgetOffsets(sources: Iterable<string>): Promise<void> {
    const { store, assignment } = this.#deps;
    const known = new Set([...this.#files.values()].map(({ source }) => source));
    const stale = [...sources].filter((source) => source.startsWith(`${assignment.guid}/`) && !known.has(source));
    if (stale.length > 0) await store.write((db) => removeSourceOffsets(db, stale));
  }

  /** The logger is to follow other files now; those that were rotated away from one that it goes on with are still its. */
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

  /** A copy may have been found before it was known to be one. */
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

  /** Under which name the file is now, if any; one that was emptied is followed up, and then known no more. */
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
    if ((await this.#refresh(file, file.readUpTo)) !== false) return;
    await this.#release(file);
    await this.#followCopy(file, names);
  }

  /** Whether it is still that file and has at least so many bytes; undefined where it cannot be opened. */
  async #refresh(file: FollowedFile, leastBytes: number): Promise<boolean | undefined> {
    const isSame = await this.with(file, (handle) => file.isIn(handle, leastBytes));
    if (isSame) file.stamp = file.listed?.stamp ?? '';
    return isSame;
  }

  async #isUnlinked({ handle }: FollowedFile): Promise<boolean> {
    return !handle || (await handle.stat()).nlink === 0;
  }

  /** The file was emptied or replaced. Where it was copied before, it goes on as that copy. */
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
      // Opened at once: it may be packed soon.
      await this.with(file, async () => undefined);
      await store.write((db) => updateFile(db, file, file.position));
      return;
    }
    await this.#forget(file);
  }

  async #isCopyOf({ head }: FollowedFile, found: ListedFile): Promise<boolean> {
    const isCopy = async (handle: FileHandle) => isHeadOf(head, await readHead(handle));
    return (await this.#share.open(found, isCopy)) === true;
  }

  async #add(found: readonly (ListedFile & { readonly position: number })[]): Promise<FollowedFile[]> {
    if (found.length === 0) return [];
    const { store, assignment } = this.#deps;
    const rows = await store.write(async (db) => {
      const inserted: CollectedFileRow[] = [];
      for (const { path, device, inode, position } of found) {
        const head = { head_bytes: NO_HEAD.bytes, head_hash: NO_HEAD.hash };
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
    await this.#deps.store.write((db) => removeFile(db, file));
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
    const begun = await this.#share.open(found, async (handle) => ({
      head: headOf(await readHead(handle)),
      position: isAtEnd ? await source.lineStartBefore(handle, sizeBytes) : 0,
    }));
    const { head, position } = begun ?? { head: NO_HEAD, position: 0 };
    return { path, device, inode, head_bytes: head.bytes, head_hash: head.hash, position };
  }
}
