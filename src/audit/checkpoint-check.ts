// Checks every checkpoint where the log passes its entry: those that stand beside the log, and those that the witness
// says were signed.

import { type Frontier, merkleRoot } from './chain.ts';
import { type Checkpoint, isSignedBy } from './checkpoint.ts';
import type { KeyHistory } from './renewals.ts';
import { type Finding, finding } from './verdict.ts';

/** `frontier` is text, and only a database has it. */
export type StoredCheckpoint = Checkpoint & { readonly frontier?: string };

/** What the log has come to. */
export interface Position {
  readonly id: number;
  readonly hash: string;
  readonly frontier: Frontier;
  /** The newest entry that has been confirmed before. */
  readonly vouchedId: number;
}

export interface Checkpoints {
  /** In the order of ids. */
  readonly stored: AsyncIterable<StoredCheckpoint>;
  /** True when every checkpoint that was ever signed must be among them. */
  readonly areAll: boolean;
  readonly keys: KeyHistory;
}

export class CheckpointCheck {
  readonly #parts: Checkpoints;
  readonly #stored: AsyncIterator<StoredCheckpoint, void>;
  #next: StoredCheckpoint | undefined;
  #count = 0;
  #signedId = 0;

  private constructor(parts: Checkpoints) {
    this.#parts = parts;
    this.#stored = parts.stored[Symbol.asyncIterator]();
  }

  static async over(parts: Checkpoints): Promise<CheckpointCheck> {
    const check = new CheckpointCheck(parts);
    await check.#advance();
    return check;
  }

  /** How many were right, each counted once. */
  get count(): number {
    return this.#count;
  }

  /** The newest entry a right one was signed for. */
  get signedId(): number {
    return this.#signedId;
  }

  isDue(id: number): boolean {
    return (this.#next !== undefined && this.#next.id <= id) || this.#isNamed(id);
  }

  /** What is wrong at this entry: first what says so of the log itself, then what says so of a checkpoint only. */
  async at(position: Position, witnessed: readonly Checkpoint[]): Promise<Finding | undefined> {
    const { id } = position;
    const wrong = await this.#misplacedBefore(id);
    const present = this.#next?.id === id ? this.#next : undefined;
    if (present) await this.#advance();
    const all = present ? [present, ...witnessed.filter((other) => !isSame(other, present))] : witnessed;
    wrong.push(...all.flatMap((checkpoint) => this.#wrongIn(checkpoint, position) ?? []));
    const isKnown = this.#isNamed(id) || (witnessed.length > 0 && this.#parts.areAll);
    if (!present && isKnown) wrong.push(finding('checkpoint-removed', id));
    // Both are right and signed: one took the place of the other after the log had been cut.
    if (present && all.length > 1) wrong.push(finding('checkpoint-replaced', id));
    if (wrong.length > 0) return wrong.find(({ kind }) => kind !== 'bad-checkpoint') ?? wrong[0];
    // A signature by a key that was lost with everything known of it proves nothing, and contradicts nothing.
    if (this.#parts.keys.keyFor(id) === undefined) return undefined;
    this.#count += 1;
    this.#signedId = id;
    return undefined;
  }

  /** Of the first checkpoint beyond the end of the log: the entry it was signed for, or that it was not signed. */
  beyond(): number | Finding | undefined {
    if (!this.#next) return undefined;
    const { id } = this.#next;
    return this.#isSigned(this.#next) ? id : finding('checkpoint-signature', id);
  }

  /** Entries are numbered without a gap, so no checkpoint can have been passed by. */
  async #misplacedBefore(id: number): Promise<Finding[]> {
    const misplaced: Finding[] = [];
    for (; this.#next && this.#next.id < id; await this.#advance()) {
      misplaced.push(finding('checkpoint-misplaced', this.#next.id));
    }
    return misplaced;
  }

  #wrongIn(checkpoint: StoredCheckpoint, { id, hash, frontier, vouchedId }: Position): Finding | undefined {
    const isHash = checkpoint.hash === hash;
    const isRoot = checkpoint.root === merkleRoot(frontier);
    if (!this.#isSigned(checkpoint)) {
      return finding(isHash ? (isRoot ? 'checkpoint-signature' : 'checkpoint-root') : 'checkpoint-hash', id);
    }
    if (!isHash) {
      const from = vouchedId + 1;
      return finding('not-as-signed', from, from < id ? { lastBadId: id } : {});
    }
    if (!isRoot) return finding('checkpoint-root', id);
    const isFrontier = checkpoint.frontier === undefined || checkpoint.frontier === JSON.stringify(frontier);
    return isFrontier ? undefined : finding('checkpoint-frontier', id);
  }

  /** True where a renewal says that this entry had a checkpoint, which must then be there. */
  #isNamed(id: number): boolean {
    return this.#parts.areAll && this.#parts.keys.isSignedBefore(id);
  }

  #isSigned(checkpoint: Checkpoint): boolean {
    const key = this.#parts.keys.keyFor(checkpoint.id);
    return key === undefined || isSignedBy(checkpoint, key);
  }

  async #advance(): Promise<void> {
    const { value, done } = await this.#stored.next();
    this.#next = done ? undefined : value;
  }
}

const isSame = (a: Checkpoint, b: Checkpoint) =>
  a.signature === b.signature && a.hash === b.hash && a.root === b.root && a.created_at === b.created_at;
