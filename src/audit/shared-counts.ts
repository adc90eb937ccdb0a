// Counts whose audit entries are not written yet, in rows that all nodes of a database share. A node that counts is named in the
// row; it adds its number when it leaves, and the last one writes the entry: what nodes have counted together is one entry with the
// whole number. Rows wait for no node that is gone, and after a crash the next start writes what was saved.

import { hash } from 'node:crypto';
import { parseJson } from '#kernel/parse-json.ts';
import type { Db } from '#store/kysely.ts';
import type { Nodes } from '#store/nodes.ts';
import type { Store } from '#store/store.ts';
import type { Draft } from './entry.ts';
import { maskDraft } from './masking.ts';
import type { Trail } from './trail.ts';

/** Epoch milliseconds, by the clock that the nodes share. */
export interface CountPeriod {
  readonly begun: number;
  /** Until then other nodes may join. */
  readonly until: number;
}

export interface Counted {
  readonly draft: Draft;
  readonly count: number;
}

export interface BegunCount extends CountPeriod {
  readonly draft?: Draft;
}

/** The draft is that of the beginning, or of the last number that was added. */
interface Content extends BegunCount {
  /** Nodes that count and have not left. */
  readonly nodes: readonly string[];
}

interface CountRow extends Content {
  readonly count: number;
}

interface Leaving {
  /** What was counted since the last addition. */
  readonly counted?: Counted | undefined;
  /** From here on counting goes on, where others may still join; absent at an end. */
  readonly goesOnFrom?: number;
  readonly until?: number;
}

interface Settled {
  /** All that was counted, where no other node is left. */
  readonly sum?: CountRow;
  readonly next?: CountPeriod;
}

interface SharedCountsDeps {
  readonly store: Store;
  readonly trail: Trail;
  readonly nodes: Pick<Nodes, 'own' | 'living'>;
}

/** The row of a count; `kind` tells what is counted. */
export const countId = (kind: string, key: string): string => hash('sha256', `${kind} ${key}`, 'hex');

/** Each of its changes is part of a unit. */
export class SharedCounts {
  readonly #deps: SharedCountsDeps;

  constructor(deps: SharedCountsDeps) {
    this.#deps = deps;
  }

  /**
   * The period that other nodes have begun, and this one counts in, with the draft that they have given; undefined where it is the
   * first, or that period is over.
   */
  async join(db: Db, id: string, begun: BegunCount): Promise<BegunCount | undefined> {
    if (await insertNew(db, id, { ...begun, nodes: [this.#name] })) return undefined;
    const row = await find(db, id);
    if (!row || row.until <= begun.begun) return undefined;
    await save(db, id, { ...row, nodes: this.#withOwn(row) });
    return row;
  }

  /** Adds to the number, which a crash does not lose from here on. */
  async add(db: Db, id: string, { draft, count, ...period }: Counted & CountPeriod): Promise<void> {
    const row = (await find(db, id)) ?? { ...period, nodes: [], count: 0 };
    const until = Math.max(row.until, period.until);
    await save(db, id, { ...row, until, nodes: this.#withOwn(row), draft, count: row.count + count });
  }

  /** Undefined where this node counts no longer; the last one that leaves writes the entry. */
  async leave(db: Db, id: string, leaving: Leaving): Promise<CountPeriod | undefined> {
    const { next, sum } = await this.#settle(db, id, leaving);
    this.#include(sum);
    return next;
  }

  /** Leaves all rows in which an earlier process of this node counted; those of nodes that are gone become entries, too. */
  async recover(): Promise<void> {
    const { store } = this.#deps;
    const some = await store.read((db) => db.selectFrom('repeated_queries').select('guid').limit(1).execute());
    if (some.length === 0) return;
    await store.write(async (db) => {
      const rows = await db.selectFrom('repeated_queries').select('guid').execute();
      const settled: Settled[] = [];
      for (const { guid } of rows) settled.push(await this.#settle(db, guid, {}));
      for (const { sum } of settled) this.#include(sum);
    });
  }

  async #settle(db: Db, id: string, { counted, goesOnFrom, until = 0 }: Leaving): Promise<Settled> {
    const row = (await find(db, id)) ?? { begun: 0, until, nodes: [], count: 0 };
    const sum = { ...row, ...(counted ? { draft: counted.draft, count: row.count + counted.count } : {}) };
    const nodes = await this.#othersOf(db, row);
    if (nodes.length > 0) {
      await save(db, id, { ...sum, nodes });
      return {};
    }
    const next = { begun: goesOnFrom ?? 0, until: Math.max(row.until, until) };
    const goesOn = goesOnFrom !== undefined && next.until > goesOnFrom;
    if (goesOn && this.#deps.store.isShared) await save(db, id, { ...next, nodes: [this.#name], count: 0 });
    else await db.deleteFrom('repeated_queries').where('guid', '=', id).execute();
    return goesOn ? { sum, next } : { sum };
  }

  get #name(): string {
    return this.#deps.nodes.own.name;
  }

  #withOwn({ nodes }: Content): readonly string[] {
    return [...new Set([...nodes, this.#name])];
  }

  async #othersOf(db: Db, { nodes }: Content): Promise<readonly string[]> {
    const others = nodes.filter((name) => name !== this.#name);
    if (others.length === 0) return [];
    const living = new Set((await this.#deps.nodes.living(db)).map(({ name }) => name));
    return others.filter((name) => living.has(name));
  }

  /** Last in a unit, because its failure would not remove the entry. */
  #include({ draft, count }: Partial<Counted> = {}): void {
    if (draft && count) this.#deps.trail.include({ ...draft, msg_params: { ...draft.msg_params, count } });
  }
}

const textOf = ({ draft, ...content }: Content): string =>
  JSON.stringify({ ...content, ...(draft ? { draft: maskDraft(draft) } : {}) });

/** False where there is one already. */
async function insertNew(db: Db, id: string, content: Content): Promise<boolean> {
  const inserted = await db
    .insertInto('repeated_queries')
    .values({ guid: id, draft: textOf(content), count: 0 })
    .onConflict((conflict) => conflict.column('guid').doNothing())
    .returning('guid')
    .execute();
  return inserted.length > 0;
}

async function find(db: Db, id: string): Promise<CountRow | undefined> {
  const row = await db.selectFrom('repeated_queries').selectAll().where('guid', '=', id).executeTakeFirst();
  if (!row) return undefined;
  // Written by `save`, or by the version before, which had the draft alone.
  const content = parseJson(row.draft) as Content | Draft;
  const known = 'nodes' in content ? content : { begun: 0, until: 0, nodes: [], draft: content };
  return { ...known, count: Number(row.count) };
}

async function save(db: Db, id: string, { begun, until, nodes, draft, count }: CountRow): Promise<void> {
  const values = { draft: textOf({ begun, until, nodes, ...(draft ? { draft } : {}) }), count };
  await db
    .insertInto('repeated_queries')
    .values({ guid: id, ...values })
    .onConflict((conflict) => conflict.column('guid').doUpdateSet(values))
    .execute();
}
