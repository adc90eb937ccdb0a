// The metadata database of several nodes. One connection writes, a small pool reads; `?` becomes `$1`, `$2`, ….

import type { Client, Pool } from 'pg';
import type { Connection, Driver, Row } from './connection.ts';

const INT8 = 20;
const READERS = 8;

// Taken by every writing transaction of every node: writes are serialized, so the audit chain has one head.
const WRITERS_LOCK = 0x56494749;

export async function openPostgres(url: string): Promise<Driver> {
  const { default: pg } = await import('pg');
  const types = {
    // Our 64-bit columns are counts and epoch milliseconds, far below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
  };
  // pg's declaration of `types` asks for overloads that a plain function cannot state.
  const config = { connectionString: url, types: types as typeof pg.types, application_name: 'vigil' };
  const pool = new pg.Pool({ ...config, max: READERS });
  pool.on('error', () => undefined); // An idle connection broke: the next read opens another.
  await pool.query('select 1');
  const writer = reconnecting(() => new pg.Client(config));
  return {
    dialect: 'postgres',
    isShared: true,
    writer: postgresConnection(writer.client),
    reader: postgresConnection(async () => pool),
    scanner: postgresConnection(async () => pool),
    async begin() {
      await (await writer.client()).query(`begin; select pg_advisory_xact_lock(${WRITERS_LOCK})`);
    },
    async commit() {
      await (await writer.client()).query('commit');
    },
    async rollback() {
      await writer.reset('rollback');
    },
    async close() {
      await writer.close();
      await pool.end();
    },
  };
}

/** Keeps one connection open and makes a new one after it broke. */
function reconnecting(make: () => Client) {
  let current: Promise<Client> | undefined;

  function client(): Promise<Client> {
    current ??= connect();
    return current;
  }

  async function connect(): Promise<Client> {
    const made = make();
    made.on('error', () => {
      current = undefined;
    });
    try {
      await made.connect();
    } catch (error) {
      current = undefined;
      throw error;
    }
    return made;
  }

  async function reset(sql: string): Promise<void> {
    const broken = await current?.catch(() => undefined);
    try {
      await broken?.query(sql);
    } catch {
      current = undefined;
      await broken?.end().catch(() => undefined);
    }
  }

  return { client, reset, close: async () => (await current?.catch(() => undefined))?.end() };
}

function postgresConnection(client: () => Promise<Client | Pool>): Connection {
  async function query(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return (await (await client()).query(sql, [...values])).rows;
  }

  return {
    all: (sql, values = []) => query(numbered(sql), values),
    exec: async (sql) => void (await (await client()).query(sql)),
    async insertMany(table, columns, rows) {
      for (const part of partsOf(rows, columns.length)) {
        const untyped = columns.map(() => '');
        const tuples = tuplesOf(part.length, untyped);
        await query(`insert into ${table} (${columns.join(', ')}) values ${tuples}`, part.flat());
      }
    },
    async updateMany(table, columns, rows) {
      const [key = '', ...others] = columns;
      const sets = others.map((column) => `${column} = given.${column}`).join(', ');
      for (const part of partsOf(rows, columns.length)) {
        // Without a type a parameter in a list of rows counts as text.
        const types = columns.map((_, at) => (typeof part[0]?.[at] === 'string' ? '::text' : '::bigint'));
        const given = `(values ${tuplesOf(part.length, types)}) as given (${columns.join(', ')})`;
        await query(`update ${table} set ${sets} from ${given} where ${table}.${key} = given.${key}`, part.flat());
      }
    },
  };
}

/** The protocol counts values in 16 bits. */
function* partsOf<T>(rows: readonly T[], width: number): Generator<readonly T[]> {
  const most = Math.floor(60_000 / width);
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most);
}

/** Places for the values of so many rows, each with the types of its columns. */
function tuplesOf(rows: number, types: readonly string[]): string {
  const places = (row: number) => types.map((type, at) => `$${row * types.length + at + 1}${type}`).join(', ');
  return Array.from({ length: rows }, (_, row) => `(${places(row)})`).join(', ');
}

/** Our own SQL text never holds a literal question mark, so every one is a value's place. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}
