// The audit trail: takes part in every group commit of the store and seals what happened in it, in order, into the
// hash chain, in the same transaction as the changes themselves.

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import type { Connection, Row } from '#store/connection.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { entryHash, type Frontier, fits, GENESIS, grow, merkleRoot } from './chain.ts';
import { type Checkpoint, isSignedBy, signCheckpoint } from './checkpoint.ts';
import { type Draft, ENTRY_COLUMNS, entryRow, entrySearchText, type SealedEntry } from './entry.ts';
import { maskDraft } from './masking.ts';
import { TAG_DIGITS, type Witness } from './witness.ts';

const ENTRIES_PER_CHECKPOINT = 1000;
const CHECKPOINT_PERIOD = Temporal.Duration.from({ hours: 1 });
const WITNESS_FLUSH_PERIOD = Temporal.Duration.from({ seconds: 1 });
const ENTRIES_PER_READ = 10_000;

export interface Trail {
  /** Runs `work` as one unit of the store, with the entry that `describe` makes of its outcome, if any. */
  change<T>(work: (db: Db) => Promise<T>, describe: (outcome: Outcome<T>) => Draft | undefined): Promise<T>;
  /** Adds an entry to the unit that is running. Called last in it: what fails afterwards would not take the entry back. */
  include(draft: Draft): void;
  /** Adds an entry by itself; resolves when it is durable. */
  record(draft: Draft): Promise<void>;
  /** The newest entry this process knows to be durable; id 0 when there is none. */
  readonly head: ChainHead;
  /** The newest durable entry of all that write to the database. */
  newest(): Promise<ChainHead>;
  /** Signs a last checkpoint over what has none yet. */
  close(): Promise<void>;
}

export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

export interface ChainHead {
  readonly id: number;
  readonly hash: string;
  readonly createdAt: number;
}

export interface TrailParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly signingKey: KeyObject;
  readonly witness: Witness;
}

export async function openTrail(parts: TrailParts): Promise<Trail> {
  const chain = new Chain(parts);
  await chain.resume(parts.store.reader);
  parts.store.onGroup(chain);
  await chain.dropStrayTexts();
  const hourly = parts.clock.every(CHECKPOINT_PERIOD, () => {
    // The store tells of its failure itself, and what was asked for is signed with the next group.
    parts.store.join(() => chain.askForCheckpoint()).catch(() => undefined);
  });
  const flushing = parts.clock.every(WITNESS_FLUSH_PERIOD, () => parts.witness.flush());
  return {
    async change(work, describe) {
      return await parts.store.write(
        async (db) => {
          const value = await work(db);
          chain.add(describe({ value }));
          return value;
        },
        (error) => chain.add(describe({ error })),
      );
    },
    include: (draft) => chain.add(draft),
    record: (draft) => parts.store.join(() => chain.add(draft)),
    get head() {
      return chain.head;
    },
    newest: async () => (parts.store.isShared ? await readHead(parts.store.reader) : chain.head),
    async close() {
      hourly[Symbol.dispose]();
      flushing[Symbol.dispose]();
      await parts.store.join(() => chain.askForCheckpoint());
    },
  };
}

const CHECKPOINT_COLUMNS = ['id', 'hash', 'root', 'created_at', 'signature', 'frontier'];
const EMPTY: ChainHead = { id: 0, hash: GENESIS, createdAt: 0 };

/** What the next checkpoint will cover: the tree so far, and the newest entry a checkpoint has been signed for. */
interface Tree {
  readonly frontier: Frontier;
  readonly signedId: number;
}

/** What a group adds to the chain. */
interface Growth {
  readonly entries: readonly SealedEntry[];
  readonly head: ChainHead;
  readonly tree: Tree;
  readonly signed: readonly { readonly checkpoint: Checkpoint; readonly frontier: Frontier }[];
}

class Chain {
  readonly #parts: TrailParts;
  #drafts: Draft[] = [];
  #head = EMPTY;
  #tree: Tree = { frontier: [], signedId: 0 };
  #isCheckpointDue = false;
  /** What becomes true with the commit of the present group. */
  #next: (Growth & { tags: string }) | undefined;

  constructor(parts: TrailParts) {
    this.#parts = parts;
  }

  get head(): ChainHead {
    return this.#head;
  }

  add(draft: Draft | undefined): void {
    if (draft) this.#drafts.push(maskDraft(draft));
  }

  askForCheckpoint(): void {
    this.#isCheckpointDue = true;
  }

  async resume(reader: Connection): Promise<void> {
    this.#tree = await readTree(reader, this.#parts.signingKey);
    this.#head = await readHead(reader);
    // A crash may have come between a commit and its line in the witness.
    if (this.#head.id > 0) this.#parts.witness.head({ ...lineOf(this.#head), tags: '' });
  }

  /** Texts are derived from entries; those of entries that someone removed would stand in the way of new ones. */
  async dropStrayTexts(): Promise<void> {
    const sql = 'select 1 from audit_texts where id > ? limit 1';
    const [stray] = await this.#parts.store.reader.all(sql, [this.#head.id]);
    if (!stray) return;
    await this.#parts.store.write((db) => db.deleteFrom('audit_texts').where('id', '>', this.#head.id).execute());
  }

  async seal(writer: Connection): Promise<void> {
    if (this.#drafts.length === 0 && !this.#isCheckpointDue) return;
    // Another node may have moved the head of a shared database; ours was read when we began.
    const head = this.#parts.store.isShared ? await readHead(writer) : this.#head;
    // It may have signed our head, too, and a checkpoint is signed once.
    const isOurs = head.id === this.#head.id && !(this.#parts.store.isShared && this.#isCheckpointDue);
    const tree = isOurs ? this.#tree : await readTree(writer, this.#parts.signingKey);
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
    // Last, because a full disk may refuse it: the witness then lags behind, and the entries are safe.
    if (tags) this.#parts.witness.head({ ...lineOf(head), tags });
    for (const { checkpoint } of signed) this.#parts.witness.checkpoint(checkpoint);
  }

  rolledBack(): void {
    this.#forgetGroup();
  }

  #forgetGroup(): void {
    this.#drafts = [];
    this.#next = undefined;
  }

  /** Entries for the drafts, in order, and a checkpoint wherever one falls due. */
  #grow(head: ChainHead, tree: Tree): Growth {
    const created_at = this.#parts.clock.now().epochMilliseconds;
    const entries: SealedEntry[] = [];
    const signed: { checkpoint: Checkpoint; frontier: Frontier }[] = [];
    let { frontier, signedId } = tree;
    let newest = head;
    const sign = () => {
      const content = { id: newest.id, hash: newest.hash, root: merkleRoot(frontier), created_at };
      signed.push({ checkpoint: signCheckpoint(content, this.#parts.signingKey), frontier });
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
 * The tree of the newest checkpoint, grown by the entries after it. The frontier beside a checkpoint is not signed: it
 * is taken only where it agrees with what is, otherwise the tree is grown anew from the first entry.
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
  // Sound or not, an id that has a checkpoint gets no second one.
  const [newest] = await connection.all('select coalesce(max(id), 0) as id from audit_checkpoints');
  return { frontier, signedId: Number(newest?.id) };
}

function validTree(row: Row, key: KeyObject): { frontier: Frontier; leaves: number } | undefined {
  const { id, hash, root, created_at, signature, frontier, entry_hash } = row;
  const checkpoint = {
    id: Number(id),
    hash: String(hash),
    root: String(root),
    created_at: Number(created_at),
    signature: String(signature),
  };
  const parsed = parsedFrontier(String(frontier));
  const isSound = hash === entry_hash && fits(parsed, checkpoint.id) && merkleRoot(parsed) === checkpoint.root;
  return isSound && isSignedBy(checkpoint, createPublicKey(key))
    ? { frontier: parsed, leaves: checkpoint.id }
    : undefined;
}

function parsedFrontier(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
