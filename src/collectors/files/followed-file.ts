// A file that is followed, from when it was found until it is gone or was emptied: what is written to it afterwards is
// another one under the same name.

import type { FileHandle } from 'node:fs/promises';
import type { CollectedFileRow } from '#store/collected-schema.ts';
import { type Head, headOf, isHeadOf, readHead } from './head.ts';
import { identityOf, type ListedFile } from './listing.ts';

export class FollowedFile {
  readonly id: number;
  /** Where it was found first. */
  readonly path: string;
  /** The name of its mark. */
  readonly source: string;
  device: string;
  inode: string;
  head: Head;
  /** As its row has it. */
  savedHead: Head;
  /** Where the next line begins. */
  position: number;
  /** Lines before this are in the table already. */
  readonly storedUpTo: number;
  /** Kept open where there is room, because a file may lose its name before it was read to its end. */
  handle: FileHandle | undefined;
  /** Where it was when it was last looked for; undefined where it was not found. */
  listed: ListedFile | undefined;
  /** It has no longer the name that it was found under. */
  isRenamed = false;
  /** It has no name at all any more, or none where we could find it. */
  isMissing = false;
  /** Epoch milliseconds; undefined while it is not gone. */
  missingSince: number | undefined;
  /** When it was last looked at. */
  sizeBytes = 0;
  /** As it was then. */
  stamp = '';
  /** Of the time before, if it had lost its name by then. */
  previousSizeBytes = -1;
  /** Up to where its next line is known not to end. */
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
    this.storedUpTo = offsets.get(this.source) ?? 0;
  }

  get identity(): string {
    return identityOf(this);
  }

  /** Up to where lines are in the table. */
  get readUpTo(): number {
    return Math.max(this.position, this.storedUpTo);
  }

  get isUnread(): boolean {
    return this.readUpTo === 0;
  }

  /** Whether it is as it was, and was read to its end. */
  isIdle({ stamp }: ListedFile): boolean {
    return stamp === this.stamp && this.position >= this.sizeBytes;
  }

  /** Whether nothing is lost when it is closed: it can be found again, or was read to its end. */
  get isClosable(): boolean {
    return this.listed !== undefined || this.position >= this.sizeBytes;
  }

  /** It is what was copied from it before it was emptied. */
  moveTo(copy: ListedFile): void {
    this.device = copy.device;
    this.inode = copy.inode;
    this.listed = copy;
    this.sizeBytes = copy.sizeBytes;
    this.isRenamed = true;
  }

  /** Whether `file` is still this one and has at least so many bytes. Its head grows with it. */
  async isIn(file: FileHandle, leastBytes: number): Promise<boolean> {
    const { size } = await file.stat();
    const beginning = await readHead(file);
    if (size < leastBytes || !isHeadOf(this.head, beginning)) return false;
    if (beginning.length > this.head.bytes) this.head = headOf(beginning);
    this.sizeBytes = size;
    return true;
  }
}
