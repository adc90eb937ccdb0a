// The audit trail: takes part in every group commit of the store and seals its entries, in order, into the hash chain,
// in the same transaction as the changes themselves.

import type { KeyObject } from 'node:crypto';
import type { Cluster } from '#cluster/cluster.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { ignoreFailure, Periodic } from '#runtime/periodic.ts';
import type { Connection } from '#store/connection.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { entryHash, type Frontier, grow, merkleRoot } from './chain/chain.ts';
import { type Checkpoint, signCheckpoint } from './chain/checkpoint.ts';
import {
  type ChainHead,
  continued,
  EMPTY,
  type Grown,
  newestSigned,
  readChain,
  readHead,
  type Tree,
} from './chain/stored-chain.ts';
import { TAG_DIGITS, type Witness } from './chain/witness.ts';
import { type Draft, ENTRY_COLUMNS, entryRow, entrySearchText, type SealedEntry } from './entry.ts';
import { maskDraft } from './masking.ts';

const ENTRIES_PER_CHECKPOINT = 1000;
const CHECKPOINT_PERIOD = Temporal.Duration.from({ hours: 1 });
/** Of the witness, and of looks at the entries of other nodes. */
const FLUSH_PERIOD = Temporal.Duration.from({ seconds: 1 });

export interface Trail {
  /** Runs `work` as one unit of the store, with the entry that `describe` returns for its outcome, if any. */
  change<T>(work: (db: Db) => Promise<T>, describe: (outcome: Outcome<T>) => Draft | undefined): Promise<T>;
  /** Adds an entry to the running unit. Call it last: a later failure would not remove the entry. */
  include(draft: Draft): void;
  /** Adds an entry in a unit of its own; resolves when it is durable. */
  record(draft: Draft): Promise<void>;
  /** The newest entry that this process knows to be durable; id 0 when there is none. */
  readonly head: ChainHead;
  /** The newest durable entry, of this and all other nodes. */
  newest(): Promise<ChainHead>;
  /** Signs a checkpoint over entries without one. */
  sign(): Promise<void>;
  /** Signs a last checkpoint. */
  close(): Promise<void>;
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

interface TrailDeps {
  readonly store: Store;
  /** Other nodes may add entries to the same chain. */
  readonly cluster: Pick<Cluster, 'latest'>;
  readonly clock: Clock;
  readonly signingKey: KeyObject;
  readonly witness: Witness;
}

export async function openTrail(deps: TrailDeps): Promise<Trail> {
  const chain = new Chain(deps);
  await chain.resume(deps.store.reader);
  deps.store.onGroup(chain);
  await chain.dropStrayTexts();
  const hourly = new Periodic({
    clock: deps.clock,
    period: CHECKPOINT_PERIOD,
    work: () => {
      // The store reports its failures itself, and the checkpoint is signed with the next group.
      return deps.store.join(() => chain.requestCheckpoint());
    },
    failed: ignoreFailure,
  });
  const flushing = new Periodic({
    clock: deps.clock,
    period: FLUSH_PERIOD,
    work: () => {
      deps.witness.flush();
      // What it does not read is read with the next group.
      return chain.follow();
    },
    failed: ignoreFailure,
  });
  return {
    async change(work, describe) {
      return await deps.store.write(
        async (db) => {
          const value = await work(db);
          chain.add(describe({ value }));
          return value;
        },
        (error) => chain.add(describe({ error })),
      );
    },
    include: (draft) => chain.add(draft),
    record: (draft) => deps.store.join(() => chain.add(draft)),
    get head() {
      return chain.head;
    },
    newest: () => deps.cluster.latest(chain.head, () => readHead(deps.store.reader)),
    sign: () => deps.store.join(() => chain.requestCheckpoint()),
    async close() {
      hourly[Symbol.dispose]();
      flushing[Symbol.dispose]();
      await deps.store.join(() => chain.requestCheckpoint());
    },
  };
}

const CHECKPOINT_COLUMNS = ['id', 'hash', 'root', 'created_at', 'signature', 'frontier'];

/** Additions of a group to the chain. */
interface GroupGrowth {
  readonly entries: readonly SealedEntry[];
  readonly head: ChainHead;
  readonly tree: Tree;
  readonly signed: readonly { readonly checkpoint: Checkpoint; readonly frontier: Frontier }[];
}

class Chain {
  readonly #deps: TrailDeps;
  #drafts: Draft[] = [];
  #head = EMPTY;
  #tree: Tree = { frontier: [], signedId: 0 };
  #isCheckpointDue = false;
  #isFollowing = false;
  /** Whether a group is under way, which may add to the chain. */
  #isSealing = false;
  /** What other nodes have added before the present group. */
  #found: Promise<Grown | undefined> | undefined;
  /** State that takes effect with the commit of the present group. */
  #next: (GroupGrowth & { tags: string }) | undefined;

  constructor(deps: TrailDeps) {
    this.#deps = deps;
  }

  get head(): ChainHead {
    return this.#head;
  }

  add(draft: Draft | undefined): void {
    if (draft) this.#drafts.push(maskDraft(draft));
  }

  requestCheckpoint(): void {
    this.#isCheckpointDue = true;
  }

  async resume(reader: Connection): Promise<void> {
    ({ head: this.#head, tree: this.#tree } = await readChain(reader, this.#deps.signingKey));
    // A crash may have happened between a commit and its line in the witness.
    if (this.#head.id > 0) this.#deps.witness.head({ ...lineOf(this.#head), tags: '' });
  }

  /** Texts are derived from entries; texts of deleted entries would collide with new ones. */
  async dropStrayTexts(): Promise<void> {
    const sql = 'select 1 from audit_texts where id > ? limit 1';
    const [stray] = await this.#deps.store.reader.all(sql, [this.#head.id]);
    if (!stray) return;
    await this.#deps.store.write((db) => db.deleteFrom('audit_texts').where('id', '>', this.#head.id).execute());
  }

  begun(writer: Connection): void {
    this.#isSealing = true;
    this.#found = this.#others(writer);
    // Read again when it is needed.
    this.#found.catch(() => undefined);
  }

  async seal(writer: Connection): Promise<void> {
    if (this.#drafts.length === 0 && !this.#isCheckpointDue) return;
    const { head, tree } = await this.#base(writer);
    const growth = this.#grow(head, tree);
    const { entries, signed } = growth;
    const texts = entries.map((entry) => [entry.id, entrySearchText(entry)]);
    const checkpoints = signed.map(({ checkpoint: { id, hash, root, created_at, signature }, frontier }) => {
      return [id, hash, root, created_at, signature, JSON.stringify(frontier)];
    });
    await Promise.all([
      writer.insertMany('audit_entries', ENTRY_COLUMNS, entries.map(entryRow)),
      writer.insertMany('audit_texts', ['id', 'text'], texts),
      writer.insertMany('audit_checkpoints', CHECKPOINT_COLUMNS, checkpoints),
    ]);
    this.#next = { ...growth, tags: entries.map(({ hash }) => hash.slice(0, TAG_DIGITS)).join('') };
  }

  /**
   * What the group is added to. Other nodes of a shared database may have added entries, which are read from the own head on: the
   * hash of that one shows that they follow it.
   */
  #base(writer: Connection): Promise<{ head: ChainHead; tree: Tree }> {
    return this.#deps.cluster.latest({ head: this.#head, tree: this.#tree }, () => this.#readBase(writer));
  }

  async #readBase(writer: Connection): Promise<{ head: ChainHead; tree: Tree }> {
    // A unit may have failed while it was read, and PostgreSQL refuses everything until that is undone.
    const found = await this.#found?.catch(() => this.#others(writer));
    if (!found) return await readChain(writer, this.#deps.signingKey);
    const { head, frontier } = found;
    let { signedId } = this.#tree;
    // Another node may have signed by now, and an entry gets one checkpoint.
    const isDue = this.#isCheckpointDue || head.id + this.#drafts.length - signedId >= ENTRIES_PER_CHECKPOINT;
    if (isDue) signedId = await newestSigned(writer);
    return { head, tree: { frontier, signedId } };
  }

  #others(connection: Connection): Promise<Grown | undefined> {
    const own = { head: this.#head, frontier: this.#tree.frontier };
    return this.#deps.cluster.latest(undefined, () => continued(connection, own));
  }

  /** Reads what other nodes have added, so that little is left to be read in a group, which stops the groups of all nodes. */
  async follow(): Promise<void> {
    if (this.#isFollowing || this.#isSealing) return;
    this.#isFollowing = true;
    try {
      const found = await this.#others(this.#deps.store.reader);
      // A group that was made meanwhile may be further.
      if (!found || this.#isSealing || found.head.id <= this.#head.id) return;
      this.#head = found.head;
      this.#tree = { frontier: found.frontier, signedId: this.#tree.signedId };
    } finally {
      this.#isFollowing = false;
    }
  }

  committed(): void {
    this.#isSealing = false;
    if (!this.#next) return;
    const { head, tree, tags, signed } = this.#next;
    this.#head = head;
    this.#tree = tree;
    this.#isCheckpointDue = false;
    this.#forgetGroup();
    // Last, because a full disk may prevent it: the witness then lags behind, and the entries are safe.
    if (tags) this.#deps.witness.head({ ...lineOf(head), tags });
    for (const { checkpoint } of signed) this.#deps.witness.checkpoint(checkpoint);
  }

  rolledBack(): void {
    this.#isSealing = false;
    this.#forgetGroup();
  }

  #forgetGroup(): void {
    this.#drafts = [];
    this.#next = undefined;
  }

  /** Seals the drafts in order, and signs each checkpoint that is due. */
  #grow(head: ChainHead, tree: Tree): GroupGrowth {
    const created_at = this.#deps.clock.now().epochMilliseconds;
    const entries: SealedEntry[] = [];
    const signed: { checkpoint: Checkpoint; frontier: Frontier }[] = [];
    let { frontier, signedId } = tree;
    let newest = head;
    const sign = () => {
      const content = { id: newest.id, hash: newest.hash, root: merkleRoot(frontier), created_at };
      signed.push({ checkpoint: signCheckpoint(content, this.#deps.signingKey), frontier });
      signedId = newest.id;
    };
    for (const draft of this.#drafts) {
      const entry = { ...draft, id: newest.id + 1, created_at };
      const hash = entryHash(newest.hash, entry);
      entries.push({ ...entry, hash });
      newest = { id: entry.id, hash, createdAt: created_at };
      frontier = grow(frontier, hash);
      if (newest.id - signedId >= ENTRIES_PER_CHECKPOINT) sign();
    }
    if (this.#isCheckpointDue && newest.id > signedId) sign();
    return { entries, head: newest, tree: { frontier, signedId }, signed };
  }
}

const lineOf = ({ id, hash, createdAt }: ChainHead) => ({ id, hash, at: createdAt });
