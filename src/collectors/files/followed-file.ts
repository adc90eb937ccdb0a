// A followed file, from its discovery until it is removed or truncated: after truncation it counts as another file.

import type { FileHandle } from 'node:fs/promises';
import type { CollectedFileRow } from '#store/schema/collected-schema.ts';
import { type Head, headOf, isHeadOf, isTailIn, readHead } from './head.ts';
import { identityOf, type ListedFile } from './listing.ts';
import type { ReadUpTo } from './rows.ts';

export class FollowedFile {
  readonly id: number;
  /** Path at discovery. */
  readonly path: string;
  /** The name of its source offset. */
  readonly source: string;
  device: string;
  inode: string;
  head: Head;
  /** Head in its row. */
  savedHead: Head;
  /** Offset of the next line. */
  position: number;
  /** Fingerprint of the last bytes that were read. */
  tail: string | null;
  /** Lines before this offset are in the table already. */
  readonly storedUpTo: number;
  /** Kept open within the limit, because a file may be unlinked before it was read to its end. */
  handle: FileHandle | undefined;
  /** Result of the last scan; undefined where the file was not found. */
  listed: ListedFile | undefined;
  /** Whether its path has changed since discovery. */
  isRenamed = false;
  /** Whether it is unlinked or cannot be found. */
  isMissing = false;
  /** Epoch milliseconds; undefined while it is not missing. */
  missingSince: number | undefined;
  /** Size at the last scan. */
  sizeBytes = 0;
  /** Stamp at the last scan. */
  stamp = '';
  /** Size at the scan before, if it was renamed by then. */
  previousSizeBytes = -1;
  /** Stamps of compressed files that are not its copies. */
  readonly otherCopies = new Set<string>();
  /** Epoch milliseconds since when it is held back, because it may be a copy; undefined while it is not. */
  heldSince: number | undefined;
  /** Offset up to which the next line has no end. */
  searchedUpTo = 0;

  constructor(row: CollectedFileRow, offsets: ReadonlyMap<string, number>) {
    this.id = row.id;
    this.path = row.path;
    this.source = `${row.logger_guid}/${row.id}`;
    this.device = row.device;
    this.inode = row.inode;
    this.head = { bytes: row.head_bytes, hash: row.head_hash };
    this.savedHead = this.head;
    this.position = row.position;
    this.tail = row.tail;
    this.storedUpTo = offsets.get(this.source) ?? 0;
  }

  get identity(): string {
    return identityOf(this);
  }

  /** Offset up to which lines are in the table. */
  get readUpTo(): number {
    return Math.max(this.position, this.storedUpTo);
  }

  get isUnread(): boolean {
    return this.readUpTo === 0;
  }

  /** What its row is to hold. */
  get stored(): ReadUpTo {
    return { file: this, end: this.position, tail: this.tail };
  }

  markRead({ end, tail }: Pick<ReadUpTo, 'end' | 'tail'>): void {
    this.position = end;
    this.tail = tail;
  }

  /** Whether it is unchanged and fully read. */
  isIdle({ stamp }: ListedFile): boolean {
    return stamp === this.stamp && this.position >= this.sizeBytes;
  }

  /** Whether it can be closed without loss: it can be found again, or is fully read. */
  get isClosable(): boolean {
    return this.listed !== undefined || this.position >= this.sizeBytes;
  }

  /** Continues with the copy that was made before truncation. */
  moveTo(copy: ListedFile): void {
    this.device = copy.device;
    this.inode = copy.inode;
    this.listed = copy;
    this.sizeBytes = copy.sizeBytes;
    this.isRenamed = true;
  }

  /** Continues with the decompressed content of a copy, which was opened as `handle` and has no name. */
  unpackFrom({ device, inode }: ListedFile, sizeBytes: number): void {
    this.device = device;
    this.inode = inode;
    this.listed = undefined;
    this.sizeBytes = sizeBytes;
    this.isRenamed = true;
    this.isMissing = true;
    // What was read before is not unpacked.
    this.tail = null;
  }

  /** Whether `file` is still this file and has at least `leastBytes`. Extends the head of a grown file. */
  async isIn(file: FileHandle, leastBytes: number): Promise<boolean> {
    const { size } = await file.stat();
    const beginning = await readHead(file);
    if (size < leastBytes || !isHeadOf(this.head, beginning)) return false;
    if (this.tail !== null && !(await isTailIn(this.tail, file, size))) return false;
    if (beginning.length > this.head.bytes) this.head = headOf(beginning);
    this.sizeBytes = size;
    return true;
  }
}
