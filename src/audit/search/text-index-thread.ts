// The thread of the text index: indexes whole blocks of entries, oldest first, and ends when fewer entries are left.

import { answerOrders } from '#runtime/answer-orders.ts';
import type { Connection } from '#store/connection.ts';
import { type DerivedData, openDerivedData } from '#store/derived.ts';
import { GramBlock } from './gram-block.ts';
import type { IndexSubject } from './text-index.ts';

const TEXTS_PER_READ = 1000;
/** Bounds the memory of a block: long texts make it shorter. */
const MAX_LETTERS = 16_000_000;
const ROWS_PER_INSERT = 5000;

answerOrders<IndexSubject, void, number>({
  async answer({ location, entriesPerBlock }, { report }) {
    await using derived = await openDerivedData(location);
    let to = await newestIndexed(derived.connection);
    // Another node may have filled it.
    report(to);
    for (;;) {
      const block = await readBlock(derived.connection, to, entriesPerBlock);
      // Where another node is at this block, the rest waits for the next thread.
      if (!block || !(await writeBlock(derived, block))) return;
      to = block.to;
      report(to);
    }
  },
});

interface Block {
  readonly after: number;
  readonly to: number;
  readonly grams: GramBlock;
}

async function newestIndexed(connection: Connection): Promise<number> {
  const [row] = await connection.all('select coalesce(max(to_id), 0) as id from audit_blocks');
  return Number(row?.id);
}

/** Undefined while the next block is incomplete. */
async function readBlock(connection: Connection, after: number, entriesPerBlock: number): Promise<Block | undefined> {
  const [newest] = await connection.all('select coalesce(max(id), 0) as id from audit_entries');
  const end = after + entriesPerBlock;
  if (Number(newest?.id) < end) return undefined;
  const grams = new GramBlock();
  const sql = 'select id, text from audit_texts where id > ? and id <= ? order by id';
  let read = after;
  for (let letters = 0; read < end && letters < MAX_LETTERS; ) {
    const until = Math.min(read + TEXTS_PER_READ, end);
    for (const { id, text } of await connection.all(sql, [read, until])) {
      grams.add(Number(id) - after - 1, String(text));
      letters += String(text).length;
    }
    read = until;
  }
  return { after, to: read, grams };
}

/** One transaction: a search sees a block with all its grams, or not at all. False where another node writes it, or has. */
async function writeBlock({ connection, lock }: DerivedData, { after, to, grams }: Block): Promise<boolean> {
  // Not `immediate`: SQLite would lock the attached metadata, too, and stop their writer.
  await connection.exec('begin');
  try {
    if (!(await lock()) || (await newestIndexed(connection)) !== after) {
      await connection.exec('rollback');
      return false;
    }
    for (const rows of batchesOf(grams.rows(to - after))) {
      const values = rows.map(([key, postings]) => [after, key, postings]);
      await connection.insertMany('audit_grams', ['block', 'gram', 'postings'], values);
    }
    const sql = `insert into audit_blocks (after_id, to_id, entries, oldest, newest, hash)
      select ${after}, ${to}, count(*), min(created_at), max(created_at),
        coalesce((select hash from audit_entries where id = ${to}), '')
      from audit_entries where id > ${after} and id <= ${to}`;
    await connection.exec(sql);
    await connection.exec('commit');
    return true;
  } catch (error) {
    await connection.exec('rollback').catch(() => undefined);
    throw error;
  }
}

function* batchesOf<T>(rows: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_PER_INSERT) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
