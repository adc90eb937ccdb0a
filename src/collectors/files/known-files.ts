// Which files a logger follows, and where they are now. A file is known by its device and inode and by how it begins, so it
// stays the same when it is renamed, and becomes another one when it is emptied or replaced.
//
//   renamed, another made in its place     both are followed, the renamed one is read to its end first
//   copied, then emptied                   what was not read yet is read from the copy, then the file from its beginning
//   emptied                                read from its beginning
//   removed                                read to its end, because it was kept open

import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CollectorParts, Obstacle } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs.ts';
import { removeMarks } from '#engines/catalog.ts';
import { readUpTo } from '#files/whole.ts';
import type { CollectedFileRow } from '#store/collected-schema.ts';
import { fewAtOnce } from './few-at-once.ts';
import { Followed } from './followed.ts';
import { headOf, isHeadOf, NO_HEAD, readHead } from './head.ts';
import type { LineSource } from './lines.ts';
import { type Found, identityOf, isNamedAfter, listFiles, openFound, siblingsOf } from './listing.ts';
import { beginningOf, filesOf, insertFile, removeFile, setBeginning, updateFile } from './rows.ts';

/** Files that are kept open at most. */
const OPEN_MOST = 512;
/** Of a file that may be a copy. */
const END_BYTES = 1024;
/** A file that is not where it was may come back: a disk that was not mounted for a while, say. */
const MISSED_MS = 24 * 60 * 60 * 1000;

export class KnownFiles {
  readonly #configs: FileConfigs;
  readonly #parts: CollectorParts;
  readonly #files: Map<number, Followed>;
  /** What there is in the folders of files that are not where they were, as of this look. */
  readonly #beside = new Map<string, Promise<Found[]>>();

  private constructor(configs: FileConfigs, parts: CollectorParts, files: readonly Followed[]) {
    this.#configs = configs;
    this.#parts = parts;
    this.#files = new Map(files.map((file) => [file.id, file]));
  }

  /** Where a logger looks for files for the first time, `from` says where it begins with those that are there. */
  static async open(configs: FileConfigs, parts: CollectorParts, source: LineSource): Promise<KnownFiles> {
    const { store, engine, assignment, destination, folders } = parts;
    const { path, pattern = null, from } = configs;
    const begun = JSON.stringify({ path, pattern, from });
    const marks = await engine.marks(destination.table);
    const rows = await store.read((db) => filesOf(db, assignment.guid));
    const files = new KnownFiles(
      configs,
      parts,
      rows.map((row) => new Followed(row, marks)),
    );
    await files.#forgetMarks(marks.keys());
    if ((await store.read((db) => beginningOf(db, assignment.guid))) === begun) return files;
    const listed = await listFiles(configs, folders);
    await files.#forgetOthers(listed);
    const beginnings = await fewAtOnce(files.#unknown(listed), (one) => beginningIn(one, configs, { folders, source }));
    const made = await store.write(async (db) => {
      await setBeginning(db, assignment.guid, begun);
      const inserted: CollectedFileRow[] = [];
      for (const one of beginnings) inserted.push(await insertFile(db, { logger_guid: assignment.guid, ...one }));
      return inserted;
    });
    for (const row of made) files.#files.set(row.id, new Followed(row, marks));
    return files;
  }

  /** Finds out where all files are, and opens them, in the order in which they are to be read. */
  async look(): Promise<Followed[]> {
    const found = await listFiles(this.#configs, this.#parts.folders);
    const names = new Map(found.map((one) => [identityOf(one), one]));
    for (const file of [...this.#files.values()]) {
      // It may have turned out to be the copy of another.
      if (this.#files.has(file.id)) await this.#locate(file, names);
    }
    const added = this.#unknown(found);
    await this.#add(added.map((one) => ({ ...one, position: 0 })));
    for (const file of this.#files.values()) await this.#open(file, names.get(file.identity));
    this.#requireSome(found);
    const files = [...this.#files.values()].sort((a, b) => Number(b.isAway) - Number(a.isAway) || a.id - b.id);
    const copies = await fewAtOnce(files, (file) => this.#isCopy(file));
    return files.filter((_, index) => !copies[index]);
  }

  /** Lets go of files that are gone and read to their end, and of more open files than there should be. */
  async tidy(): Promise<void> {
    const now = this.#parts.clock.now().epochMilliseconds;
    for (const file of [...this.#files.values()]) {
      file.formerBytes = file.sizeBytes;
      if (!file.isGone) file.missedSince = now;
      const isOver = file.handle ? file.position >= file.sizeBytes : now - file.missedSince > MISSED_MS;
      if (file.isGone && isOver) await this.#forget(file);
    }
    this.#beside.clear();
    const open = [...this.#files.values()].filter(({ handle }) => handle);
    for (const file of open.slice(0, Math.max(0, open.length - OPEN_MOST))) await file.release();
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.release();
  }

  /** Of files that are followed no more: a journal may have been sealed after they were forgotten. */
  async #forgetMarks(sources: Iterable<string>): Promise<void> {
    const { store, assignment } = this.#parts;
    const known = new Set([...this.#files.values()].map(({ source }) => source));
    const stale = [...sources].filter((source) => source.startsWith(`${assignment.guid}/`) && !known.has(source));
    if (stale.length > 0) await store.write((db) => removeMarks(db, stale));
  }

  /** The logger is to follow other files now; those that were rotated away from one that it goes on with are still its. */
  async #forgetOthers(listed: readonly Found[]): Promise<void> {
    const identities = new Set(listed.map(identityOf));
    const paths = new Set(listed.map(({ path }) => path));
    const others = [...this.#files.values()].filter((file) => !identities.has(file.identity) && !paths.has(file.path));
    for (const file of others) await this.#forget(file);
  }

  #unknown(found: readonly Found[]): Found[] {
    const known = new Set([...this.#files.values()].map(({ identity }) => identity));
    return found.filter((one) => !known.has(identityOf(one)));
  }

  /** A copy may have been found before it was known to be one. */
  #unread(found: readonly Found[]): Found[] {
    const read = new Set([...this.#files.values()].filter((file) => !file.isUnread).map(({ identity }) => identity));
    return found.filter((one) => !read.has(identityOf(one)));
  }

  async #forgetUnread(found: Found): Promise<void> {
    const file = [...this.#files.values()].find(({ identity }) => identity === identityOf(found));
    if (file) await this.#forget(file);
  }

  #siblingsOf({ path }: Followed): Promise<Found[]> {
    const folder = dirname(path);
    const known = this.#beside.get(folder) ?? siblingsOf(path, this.#parts.folders);
    this.#beside.set(folder, known);
    return known;
  }

  /** Under which name the file is now, if any; one that was emptied is followed up, and then known no more. */
  async #locate(file: Followed, names: Map<string, Found>): Promise<void> {
    const { folders } = this.#parts;
    let found = names.get(file.identity);
    if (!found && !file.handle) {
      found = (await this.#siblingsOf(file)).find((one) => identityOf(one) === file.identity);
      if (found) names.set(file.identity, found);
    }
    file.isAway = found?.path !== file.path;
    file.isGone = !found && (await this.#isUnlinked(file));
    if (found && file.isIdle(found)) return;
    if (!file.handle && found) file.handle = await openFound(found, folders).catch(() => undefined);
    if (!file.handle) return;
    if (await file.isIn(file.handle, file.readUpTo)) {
      file.stamp = found?.stamp ?? '';
      return;
    }
    await file.release();
    await this.#followCopy(file, names);
  }

  async #isUnlinked({ handle }: Followed): Promise<boolean> {
    return !handle || (await handle.stat()).nlink === 0;
  }

  /** The file was emptied or replaced. Where it was copied before, it goes on as that copy. */
  async #followCopy(file: Followed, names: Map<string, Found>): Promise<void> {
    const { store } = this.#parts;
    const beside = (await this.#siblingsOf(file)).filter(({ path }) => isNamedAfter(path, file.path));
    const unread = this.#unread(beside).sort((a, b) => b.sizeBytes - a.sizeBytes);
    for (const found of file.head.bytes === 0 ? [] : unread) {
      const handle = await this.#openCopy(file, found);
      if (!handle) continue;
      names.set(identityOf(found), found);
      await this.#forgetUnread(found);
      if (found.sizeBytes < file.readUpTo) {
        await handle.close();
        await this.#add([{ ...found, position: found.sizeBytes }]);
        break;
      }
      file.moveTo(found);
      file.handle = handle;
      file.sizeBytes = found.sizeBytes;
      await store.write((db) => updateFile(db, file, file.position));
      return;
    }
    await this.#forget(file);
  }

  /** Undefined where it is no copy. */
  async #openCopy({ head }: Followed, found: Found): Promise<FileHandle | undefined> {
    const handle = await openFound(found, this.#parts.folders).catch(() => undefined);
    const isCopy =
      handle &&
      (await readHead(handle)
        .then((beginning) => isHeadOf(head, beginning))
        .catch(() => false));
    if (isCopy) return handle;
    await handle?.close();
    return undefined;
  }

  async #add(found: readonly (Found & { readonly position: number })[]): Promise<void> {
    if (found.length === 0) return;
    const { store, assignment } = this.#parts;
    const rows = await store.write(async (db) => {
      const inserted: CollectedFileRow[] = [];
      for (const { path, device, inode, position } of found) {
        const head = { head_bytes: NO_HEAD.bytes, head_hash: NO_HEAD.hash };
        inserted.push(await insertFile(db, { logger_guid: assignment.guid, path, device, inode, ...head, position }));
      }
      return inserted;
    });
    for (const row of rows) this.#files.set(row.id, new Followed(row, new Map()));
  }

  async #open(file: Followed, found: Found | undefined): Promise<void> {
    if (file.handle || !found || file.isIdle(found)) return;
    file.handle = await openFound(found, this.#parts.folders).catch(() => undefined);
    if (file.handle) await file.isIn(file.handle, 0);
  }

  async #forget(file: Followed): Promise<void> {
    await file.release();
    await this.#parts.store.write((db) => removeFile(db, file));
    this.#files.delete(file.id);
  }

  #requireSome(found: readonly Found[]): void {
    const [first] = found;
    const isAnyOpen = [...this.#files.values()].some(({ handle, stamp }) => handle || stamp !== '');
    if (first && !isAnyOpen) throw new Obstacle(`file is not readable: ${first.path}`);
  }

  /**
   * A file of which nothing was read, and which begins like another one beside it, may be a copy of that, still growing. Many
   * files begin alike for long, so the last bytes of it must be in the other, too.
   */
  async #isCopy(file: Followed): Promise<boolean> {
    if (!file.isUnread || !file.handle || file.sizeBytes === 0) return false;
    const others = [...this.#files.values()].filter(
      (other) =>
        other.handle &&
        (!other.isUnread || other.id < file.id) &&
        // What is written in the place of a file that was renamed is no copy of it.
        other.path !== file.path &&
        isNamedAfter(file.path, other.path),
    );
    const beginning = await readHead(file.handle);
    const endAt = Math.max(0, file.sizeBytes - END_BYTES);
    const end = await readUpTo(file.handle, endAt, file.sizeBytes - endAt);
    for (const other of others) {
      if (!other.handle) continue;
      // Before the rest is looked at, which tells whether it was emptied.
      const isInOther = (await readUpTo(other.handle, endAt, end.length)).equals(end);
      const otherBeginning = await readHead(other.handle);
      const { size } = await other.handle.stat();
      // Emptied since it was looked at: the next look tells what was copied from it.
      if (size < other.readUpTo || !isHeadOf(other.head, otherBeginning)) return true;
      const length = Math.min(beginning.length, otherBeginning.length);
      const isAlike = otherBeginning.subarray(0, length).equals(beginning.subarray(0, length));
      if (isAlike && isInOther && file.sizeBytes <= size) return true;
    }
    return false;
  }
}

async function beginningIn(
  found: Found,
  { from }: FileConfigs,
  { folders, source }: Pick<CollectorParts, 'folders'> & { readonly source: LineSource },
): Promise<Omit<CollectedFileRow, 'id' | 'logger_guid'>> {
  const { path, device, inode, sizeBytes } = found;
  await using handle = await openFound(found, folders).catch(() => undefined);
  const head = handle ? headOf(await readHead(handle)) : NO_HEAD;
  const isAtEnd = handle && from === 'end';
  const position = isAtEnd ? await source.beginningBefore(handle, sizeBytes) : 0;
  return { path, device, inode, head_bytes: head.bytes, head_hash: head.hash, position };
}
