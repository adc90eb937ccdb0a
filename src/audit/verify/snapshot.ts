// A snapshot of a database, read from end to end beside a running service: without locks, without writing, and in
// constant memory.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const ROWS_PER_PAGE = 1000;

type Values = readonly unknown[];

export interface Snapshot extends AsyncDisposable {
  /** Values of each row in the order of its columns; 64-bit numbers may be bigint or text. */
  pages(sql: string): AsyncIterable<readonly Values[]>;
  /** True when a database that was opened as unused was written meanwhile: its rows may be inconsistent. */
  isDisturbed(): boolean;
}

/** `location` is a data folder, or a `postgres://` URL. */
export function openSnapshot(location: string): Promise<Snapshot> {
  return /^postgres(ql)?:\/\//.test(location) ? postgresSnapshot(location) : sqliteSnapshot(location);
}

async function sqliteSnapshot(folder: string): Promise<Snapshot> {
  const file = join(folder, 'metadata.db');
  const isAtRest = !existsSync(`${file}-wal`);
  const stateNow = () => (isAtRest ? stateOf(file) : '');
  const state = stateNow();
  const database = new DatabaseSync(isAtRest ? immutable(file) : file, { readOnly: true, readBigInts: true });
  database.exec('begin');
  // The first read fixes the snapshot.
  database.prepare('select count(*) from sqlite_schema').get();
  return {
    pages: (sql) => sqlitePages(database, sql),
    isDisturbed: () => stateNow() !== state,
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

async function* sqlitePages(database: DatabaseSync, sql: string): AsyncGenerator<readonly Values[]> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  let page: Values[] = [];
  // The statement returns arrays now, which its declared type does not know.
  for (const row of statement.iterate() as unknown as Iterable<Values>) {
    page.push(row);
    if (page.length < ROWS_PER_PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/**
 * Without a WAL no process has the database open. A reader would then create a WAL owned by its own user; a file opened
 * as immutable is left alone.
 */
function immutable(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return url;
}

function stateOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}

async function postgresSnapshot(url: string): Promise<Snapshot> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'vigil' });
  // A broken connection fails the next page; the event itself carries nothing new.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin isolation level repeatable read, read only');
  await client.query('select 1');
  let cursors = 0;
  return {
    async *pages(sql) {
      cursors += 1;
      const cursor = `verify_${cursors}`;
      await client.query(`declare ${cursor} no scroll cursor for ${sql}`);
      const fetch = { text: `fetch ${ROWS_PER_PAGE} from ${cursor}`, rowMode: 'array' };
      for (let count = ROWS_PER_PAGE; count === ROWS_PER_PAGE; ) {
        const { rows } = await client.query(fetch);
        count = rows.length;
        yield rows;
      }
    },
    isDisturbed: () => false,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
