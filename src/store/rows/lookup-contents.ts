// Contents of lookups in the database, for services that share it and have folders of their own: files of stored lookups and
// rows of lookups in memory. A content never changes; it is written in parts, before anything refers to it.

import { DATABASE_NOW } from '#store/database-now.ts';
import type { Db } from '#store/kysely.ts';
import { connectionOf } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';

/** Bytes of a part: a unit of the store holds up all others. */
export const PART_BYTES = 2 ** 20;

/** A content that nothing refers to may be on its way; after this many milliseconds a crash has left it. */
const ORPHAN_MS = 24 * 3_600_000;

/** A content has been removed since its name was read. */
export class ContentGone extends Error {
  constructor(content: string) {
    super(`the content ${content} of a lookup has gone`);
  }
}

export class LookupContents {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Durable when it resolves. `parts` are of at most PART_BYTES each; without any the content is empty. */
  async put(content: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    let count = 0;
    let waiting: Uint8Array = new Uint8Array();
    for await (const part of parts) {
      if (count > 0) await this.#write(content, { part: count - 1, bytes: waiting, isLast: false });
      count += 1;
      waiting = part;
    }
    await this.#write(content, { part: Math.max(count - 1, 0), bytes: waiting, isLast: true });
  }

  async has(content: string): Promise<boolean> {
    return (await this.#rows('select 1 from lookup_parts where content = ? and is_last = 1', [content])).length > 0;
  }

  /** Throws ContentGone unless all parts are there. */
  async *parts(content: string): AsyncGenerator<Uint8Array> {
    for (let part = 0; ; part += 1) {
      const [row] = await this.#rows('select bytes, is_last from lookup_parts where content = ? and part = ?', [
        content,
        part,
      ]);
      if (!(row?.bytes instanceof Uint8Array)) throw new ContentGone(content);
      yield row.bytes;
      if (Number(row.is_last) === 1) return;
    }
  }

  /** Within a unit of the store. */
  async removeIn(db: Db, content: string): Promise<void> {
    await connectionOf(db).all('delete from lookup_parts where content = ?', [content]);
  }

  remove(content: string): Promise<void> {
    return this.#store.write((db) => this.removeIn(db, content));
  }

  /** Removes what crashes have left. */
  async sweep(): Promise<void> {
    const now = DATABASE_NOW[this.#store.dialect];
    await this.#store.write(async (db) => {
      await connectionOf(db).all(
        `delete from lookup_parts where written_at < ${now} - ${ORPHAN_MS}
         and content not in (select file from lookups where file is not null)
         and content not in (select content from memory_lookups)`,
      );
    });
  }

  #rows(sql: string, values: readonly (string | number)[]) {
    return this.#store.read((db) => connectionOf(db).all(sql, [...values]));
  }

  async #write(content: string, { part, bytes, isLast }: { part: number; bytes: Uint8Array; isLast: boolean }) {
    const { dialect } = this.#store;
    await this.#store.write(async (db) => {
      await connectionOf(db).all(
        `insert into lookup_parts (content, part, is_last, bytes, written_at) values (?, ?, ?, ?, ${DATABASE_NOW[dialect]})`,
        [content, part, isLast ? 1 : 0, bytes],
      );
    });
  }
}
