// Checks every checkpoint as the walk over the log passes its entry: the stored ones, and those that the witness has
// recorded.

import { type Frontier, merkleRoot } from '#audit/chain/chain.ts';
import { type Checkpoint, isSignedBy } from '#audit/chain/checkpoint.ts';
import type { KeyHistory } from '#audit/chain/renewals.ts';
import { type Finding, finding } from './verdict.ts';

/** `frontier` is text, and only a database has it. */
export type StoredCheckpoint = Checkpoint & { readonly frontier?: string };

/** State of the walk at an entry. */
interface Position {
  readonly id: number;
  readonly hash: string;
  readonly frontier: Frontier;
  /** The newest entry confirmed so far. */
  readonly confirmedId: number;
}

export interface Checkpoints {
  /** Ordered by id. */
  readonly stored: AsyncIterable<StoredCheckpoint>;
  /** True when every checkpoint that was ever signed must be among them. */
  readonly areAll: boolean;
  readonly keys: KeyHistory;
}

export class CheckpointCheck {
  readonly #checkpoints: Checkpoints;
  readonly #stored: AsyncIterator<StoredCheckpoint, void>;
  #next: StoredCheckpoint | undefined;
  #count = 0;
  #signedId = 0;
  #proofs: readonly Checkpoint[] = [];

  private constructor(checkpoints: Checkpoints) {
    this.#checkpoints = checkpoints;
    this.#stored = checkpoints.stored[Symbol.asyncIterator]();
  }

  static async over(checkpoints: Checkpoints): Promise<CheckpointCheck> {
    const check = new CheckpointCheck(checkpoints);
    await check.#advance();
    return check;
  }

  /** Valid checkpoints, each counted once. */
  get count(): number {
    return this.#count;
  }

  /** The newest entry with a valid checkpoint. */
  get signedId(): number {
    return this.#signedId;
  }

  /** The valid checkpoints of that entry. */
  get proofs(): readonly Checkpoint[] {
    return this.#proofs;
  }

  isDue(id: number): boolean {
    return (this.#next !== undefined && this.#next.id <= id) || this.#isNamed(id);
  }

  /** Findings at this entry: first those about the log itself, then those about a checkpoint only. */
  async at(position: Position, witnessed: readonly Checkpoint[]): Promise<Finding | undefined> {
    const { id } = position;
    const wrong = await this.#misplacedBefore(id);
    const present = this.#next?.id === id ? this.#next : undefined;
    if (present) await this.#advance();
    const all = present ? [present, ...witnessed.filter((other) => !isSame(other, present))] : witnessed;
    wrong.push(...all.flatMap((checkpoint) => this.#wrongIn(checkpoint, position) ?? []));
    const isKnown = this.#isNamed(id) || (witnessed.length > 0 && this.#checkpoints.areAll);
    if (!present && isKnown) wrong.push(finding('checkpoint-removed', id));
    // Both are valid and signed: one replaced the other after the log had been cut.
    if (present && all.length > 1) wrong.push(finding('checkpoint-replaced', id));
    if (wrong.length > 0) return wrong.find(({ kind }) => kind !== 'bad-checkpoint') ?? wrong[0];
    // A signature by a lost, unknown key, or by one that nothing confirms yet, proves nothing and contradicts nothing.
    const proofs = all.filter((checkpoint) => this.#isProof(checkpoint));
    if (proofs.length === 0) return undefined;
    this.#proofs = proofs;
    this.#count += 1;
    this.#signedId = id;
    return undefined;
  }

  /**
   * About the first checkpoint beyond the end of the log: the entry it was signed for, or the finding that its
   * signature is invalid.
   */
  beyond(): number | Finding | undefined {
    if (!this.#next) return undefined;
    const { id } = this.#next;
    return this.#isSigned(this.#next) ? id : finding('checkpoint-signature', id);
  }

  /** Entries are numbered without gaps, so the walk passes every checkpoint. */
  async #misplacedBefore(id: number): Promise<Finding[]> {
    const misplaced: Finding[] = [];
    for (; this.#next && this.#next.id < id; await this.#advance()) {
      misplaced.push(finding('checkpoint-misplaced', this.#next.id));
    }
    return misplaced;
  }

  #wrongIn(checkpoint: StoredCheckpoint, { id, hash, frontier, confirmedId }: Position): Finding | undefined {
    const isHash = checkpoint.hash === hash;
    const isRoot = checkpoint.root === merkleRoot(frontier);
    if (!this.#isSigned(checkpoint)) {
      return finding(isHash ? (isRoot ? 'checkpoint-signature' : 'checkpoint-root') : 'checkpoint-hash', id);
    }
    if (!isHash) {
      const from = confirmedId + 1;
      return finding('not-as-signed', from, from < id ? { lastBadId: id } : {});
    }
    if (!isRoot) return finding('checkpoint-root', id);
    const isFrontier = checkpoint.frontier === undefined || checkpoint.frontier === JSON.stringify(frontier);
    return isFrontier ? undefined : finding('checkpoint-frontier', id);
  }

  /** True if a renewal names a checkpoint for this entry, which must then exist. */
  #isNamed(id: number): boolean {
    return this.#checkpoints.areAll && this.#checkpoints.keys.isSignedBefore(id);
  }

  #isSigned(checkpoint: Checkpoint): boolean {
    const { keys } = this.#checkpoints;
    const key = keys.keyFor(checkpoint.id);
    return key === undefined || isSignedBy(checkpoint, key) || keys.joined.isSigned(checkpoint);
  }

  #isProof(checkpoint: Checkpoint): boolean {
    const { keys } = this.#checkpoints;
    const key = keys.keyFor(checkpoint.id);
    return key !== undefined && (isSignedBy(checkpoint, key) || keys.joined.isConfirmed(checkpoint));
  }

  async #advance(): Promise<void> {
    const { value, done } = await this.#stored.next();
    this.#next = done ? undefined : value;
  }
}

const isSame = (a: Checkpoint, b: Checkpoint) =>
  a.signature === b.signature && a.hash === b.hash && a.root === b.root && a.created_at === b.created_at;
