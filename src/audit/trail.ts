// The audit trail: takes part in every group commit of the store and seals its entries, in order, into the hash chain,
// in the same transaction as the changes themselves.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import type { Connection, Row } from '#store/connection.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { entryHash, type Frontier, fits, GENESIS, grow, merkleRoot } from './chain.ts';
import { type Checkpoint, checkpointOfRow, isSignedBy, signCheckpoint } from './checkpoint.ts';
import { type Draft, ENTRY_COLUMNS, entryRow, entrySearchText, type SealedEntry } from './entry.ts';
import { maskDraft } from './masking.ts';
import { TAG_DIGITS, type Witness } from './witness.ts';

const ENTRIES_PER_CHECKPOINT = 1000;
const CHECKPOINT_PERIOD = Temporal.Duration.from({ hours: 1 });
const WITNESS_FLUSH_PERIOD = Temporal.Duration.from({ seconds: 1 });
const ENTRIES_PER_READ = 10_000;

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
  /** Signs a last checkpoint over entries without one. */
  close(): Promise<void>;
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

export interface ChainHead {
  readonly id: number;
  readonly hash: string;
  readonly createdAt: number;
}

interface TrailDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly signingKey: KeyObject;
  readonly witness: Witness;
}

export async function openTrail(deps: TrailDeps): Promise<Trail> {
  const chain = new Chain(deps);
  await chain.resume(deps.store.reader);
  deps.store.onGroup(chain);
  await chain.dropStrayTexts();
  const hourly = deps.clock.every(CHECKPOINT_PERIOD, () => {
    // The store reports its failures itself, and the checkpoint is signed with the next group.
    deps.store.join(() => chain.requestCheckpoint()).catch(() => undefined);
  });
  const flushing = deps.clock.every(WITNESS_FLUSH_PERIOD, () => deps.witness.flush());
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
    newest: async () => (deps.store.isShared ? await readHead(deps.store.reader) : chain.head),
    async close() {
      hourly[Symbol.dispose]();
      flushing[Symbol.dispose]();
      await deps.store.join(() => chain.requestCheckpoint());
    },
  };
}

const CHECKPOINT_COLUMNS = ['id', 'hash', 'root', 'created_at', 'signature', 'frontier'];
const EMPTY: ChainHead = { id: 0, hash: GENESIS, createdAt: 0 };

/** The base of the next checkpoint: the tree so far, and the newest entry that has a checkpoint. */
interface Tree {
  readonly frontier: Frontier;
  readonly signedId: number;
}

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
    this.#tree = await readTree(reader, this.#deps.signingKey);
    this.#head = await readHead(reader);
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

  async seal(writer: Connection): Promise<void> {
    if (this.#drafts.length === 0 && !this.#isCheckpointDue) return;
    // Another node may have moved the head of a shared database since it was read.
    const head = this.#deps.store.isShared ? await readHead(writer) : this.#head;
    // The other node may have signed this head, too, and a checkpoint is signed once.
    const isOurs = head.id === this.#head.id && !(this.#deps.store.isShared && this.#isCheckpointDue);
    const tree = isOurs ? this.#tree : await readTree(writer, this.#deps.signingKey);
    const growth = this.#grow(head, tree);
    const { entries, signed } = growth;
    await writer.insertMany('audit_entries', ENTRY_COLUMNS, entries.map(entryRow));
    const texts = entries.map((entry) => [entry.id, entrySearchText(entry)]);
    await writer.insertMany('audit_texts', ['id', 'text'], texts);
    const checkpoints = signed.map(({ checkpoint: { id, hash, root, created_at, signature }, frontier }) => {
      return [id, hash, root, created_at, signature, JSON.stringify(frontier)];
    });
    await writer.insertMany('audit_checkpoints', CHECKPOINT_COLUMNS, checkpoints);
    this.#next = { ...growth, tags: entries.map(({ hash }) => hash.slice(0, TAG_DIGITS)).join('') };
  }

  committed(): void {
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

async function readHead(connection: Connection): Promise<ChainHead> {
  const [row] = await connection.all('select id, hash, created_at from audit_entries order by id desc limit 1');
  if (!row) return EMPTY;
  return { id: Number(row.id), hash: String(row.hash), createdAt: Number(row.created_at) };
}

const lineOf = ({ id, hash, createdAt }: ChainHead) => ({ id, hash, at: createdAt });

/**
 * The tree of the newest checkpoint, grown by the entries after it. The stored frontier is not signed: it is used only
 * if it agrees with the signed root, otherwise the tree is built anew from the first entry.
 */
async function readTree(connection: Connection, key: KeyObject): Promise<Tree> {
  const [row] = await connection.all(
    `select c.*, e.hash as entry_hash from audit_checkpoints c join audit_entries e on e.id = c.id
     order by c.id desc limit 1`,
  );
  const known = row && validTree(row, key);
  let frontier: Frontier = known?.frontier ?? [];
  let after = known?.leaves ?? 0;
  const sql = 'select id, hash from audit_entries where id > ? order by id limit ?';
  for (let isMore = true; isMore; ) {
    const rows = await connection.all(sql, [after, ENTRIES_PER_READ]);
    for (const { hash } of rows) frontier = grow(frontier, String(hash));
    after = Number(rows.at(-1)?.id ?? after);
    isMore = rows.length === ENTRIES_PER_READ;
  }
  // An id with a checkpoint, valid or not, gets no second one.
  const [newest] = await connection.all('select coalesce(max(id), 0) as id from audit_checkpoints');
  return { frontier, signedId: Number(newest?.id) };
}

function validTree(row: Row, key: KeyObject): { frontier: Frontier; leaves: number } | undefined {
  const checkpoint = checkpointOfRow(row);
  const frontier = parseFrontier(String(row.frontier));
  const isValid =
    checkpoint.hash === row.entry_hash && fits(frontier, checkpoint.id) && merkleRoot(frontier) === checkpoint.root;
  return isValid && isSignedBy(checkpoint, createPublicKey(key)) ? { frontier, leaves: checkpoint.id } : undefined;
}

function parseFrontier(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
