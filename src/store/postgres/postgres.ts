// The metadata database of several nodes. One connection writes, a small pool reads; `?` becomes `$1`, `$2`, ….

import type { Socket } from 'node:net';
import type { ClientConfig, Pool } from 'pg';
import { systemClock, withTimeout } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import type { Connection, Driver, Row, StatementOptions, Value } from '#store/connection.ts';
import { isBreak, isDeadlock, isStalePlan, StoreUnreachable, unreachableBy } from '#store/unreachable.ts';
import { POSTGRES_LIMITS, type PostgresLimits } from './postgres-limits.ts';
import { aliveSocket, processOf, type Session } from './postgres-session.ts';
import { PostgresWriter } from './postgres-writer.ts';

const INT8 = 20;
const READERS = 8;
/** Of a read that ends a deadlock. */
const MAX_RETRIES = 4;
const CLOSE = Temporal.Duration.from({ seconds: 2 });

export async function openPostgres(url: string, limits: PostgresLimits = POSTGRES_LIMITS): Promise<Driver> {
  const { default: pg } = await import('pg');
  const types = {
    // Our 64-bit columns are counts and epoch milliseconds, far below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
  };
  const config = {
    connectionString: url,
    // pg's declaration of `types` asks for overloads that a plain function cannot state.
    types: types as typeof pg.types,
    application_name: 'vigil',
  };
  const limited = { ...config, connectionTimeoutMillis: limits.connectMs };
  const readers = new Readers((stream) => {
    // The timeout of the pool itself would include the wait for a free connection.
    class Reader extends pg.Client {
      constructor(raw?: ClientConfig) {
        super({ ...raw, connectionTimeoutMillis: limits.connectMs });
      }
    }
    return new pg.Pool({ ...config, max: READERS, stream, Client: Reader });
  });
  const reader = readers.connection(limits.readMs);
  const writer = new PostgresWriter({
    limits,
    // Statements whose answers nobody waits for are sent together with those behind them.
    make: (stream) => new pg.Client({ ...limited, stream, pipeline: true }),
    connectionOn: connectionOn,
  });
  try {
    readers.answeredBy(await requireFit(reader));
  } catch (error) {
    await readers.close();
    throw error;
  }
  return {
    dialect: 'postgres',
    sendsAhead: true,
    reader,
    scanner: readers.connection(limits.scanMs),
    begin: (kind = 'changes') => writer.begin(kind),
    async close() {
      await Promise.all([writer.close(), readers.close()]);
    },
  };
}

/** Names are compared in one form of Unicode, which PostgreSQL knows from 13 on and of texts in UTF-8 alone. Gives the process that answers. */
async function requireFit(reader: Connection): Promise<number> {
  const [about] = await reader.all(
    `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
      current_setting('server_version_num')::int >= 130000 as knows, pg_backend_pid() as process`,
  );
  const { encoding, version, knows, process } = about ?? {};
  if (knows && encoding === 'UTF8') return Number(process);
  throw new UsageError('database-unfit', { encoding: String(encoding), version: String(version) });
}

interface Statement extends StatementOptions {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly timeoutMs: number;
}

/** Reading connections, each with a timeout per statement. */
class Readers {
  readonly #pool: Pool;
  readonly #sockets = new Set<Socket>();
  /** Of prepared statements, by their text. */
  readonly #names = new Map<string, string>();
  /** Numbers of server processes, as they were told with the first connections. */
  #processes: Set<unknown> | undefined = new Set();
  #isDirect = false;

  constructor(make: (stream: () => Socket) => Pool) {
    this.#pool = make(() => {
      const socket = aliveSocket();
      this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket)));
      return socket;
    });
    this.#pool.on('error', () => undefined); // An idle connection broke: the next read opens another.
    this.#pool.on('connect', (client) => {
      this.#processes?.add(processOf(client));
      // A busy connection fails its statement; the event reports the same error again.
      client.on('error', () => undefined);
    });
  }

  /** Statements are prepared where the server says the process that was told with a connection: a pooler tells one of its own. */
  answeredBy(process: number): void {
    this.#isDirect = this.#processes?.has(process) === true;
    this.#processes = undefined;
  }

  connection(timeoutMs: number): Connection {
    return postgresConnection((text, values, options) => this.#query({ text, values, timeoutMs, ...options }));
  }

  /** A migration of a newer version may lock the tables of a statement in another order: one of both is ended, and repeated. */
  async #query(statement: Statement): Promise<Row[]> {
    const options = { clock: systemClock, delays: sameDelay(0, MAX_RETRIES), mayRetry: isDeadlock };
    return await retry(() => this.#queryFresh(statement), options);
  }

  async #queryFresh(statement: Statement): Promise<Row[]> {
    try {
      return await this.#queryOnce(statement);
    } catch (error) {
      // A newer version has given a column another type.
      if (statement.isPrepared && isStalePlan(error)) return await this.#queryOnce({ ...statement, isPrepared: false });
      throw error;
    }
  }

  async #queryOnce({ text, values, timeoutMs, isPrepared = false }: Statement): Promise<Row[]> {
    const client = await this.#pool.connect().catch((error) => {
      // Any failure to connect means that the database is unreachable.
      throw new StoreUnreachable(error);
    });
    try {
      // The declared types know `query_timeout` for whole connections only.
      const question = { text, values: [...values], query_timeout: timeoutMs };
      const { rows } = await client.query(
        isPrepared && this.#isDirect ? { ...question, name: this.#nameOf(text) } : question,
      );
      client.release();
      return rows;
    } catch (error) {
      client.release(isBreak(error) || isStalePlan(error));
      throw unreachableBy(error) ?? error;
    }
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `prepared_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  async close(): Promise<void> {
    await withTimeout(systemClock, CLOSE, this.#pool.end(), undefined);
    for (const socket of this.#sockets) socket.destroy();
  }
}

const connectionOn = (session: Session, timeoutMs: number): Connection =>
  postgresConnection(async (text, values) => (await session.query(text, { values, timeoutMs })).at(-1)?.rows ?? []);

type RunStatement = (sql: string, values: readonly unknown[], options?: StatementOptions) => Promise<Row[]>;

export function postgresConnection(query: RunStatement): Connection {
  return {
    all: (sql, values = [], options) => query(numbered(sql), values, options),
    exec: async (sql) => void (await query(sql, [])),
    async insertMany(table, columns, rows) {
      const names = columns.join(', ');
      const sql = `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)`;
      for (const part of batchesOf(rows)) await query(sql, [recordsText(columns, part)]);
    },
    async updateMany(table, columns, rows) {
      const [key = '', ...others] = columns;
      const sets = others.map((column) => `${column} = given.${column}`).join(', ');
      for (const part of partsOf(rows, columns.length)) {
        // An untyped parameter in a list of rows counts as text.
        const types = columns.map((_, at) => (typeof part[0]?.[at] === 'string' ? '::text' : '::bigint'));
        const raw = `(values ${tuplesOf(part.length, types)}) as given (${columns.join(', ')})`;
        await query(`update ${table} set ${sets} from ${raw} where ${table}.${key} = given.${key}`, part.flat());
      }
    },
  };
}

const MAX_ROWS_PER_INSERT = 5000;

/** One value for any number of rows: the server takes longer to parse thousands of placeholders than to insert the rows. */
function recordsText(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  const names = columns.map((column) => `${JSON.stringify(column)}:`);
  const recordOf = (row: readonly Value[]) => `{${row.map((value, at) => names[at] + jsonOf(value)).join(',')}}`;
  return `[${rows.map(recordOf).join(',')}]`;
}

/** As the server reads it into a column of any type. */
function jsonOf(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return String(value);
}

/** The protocol counts values in 16 bits. */
function* partsOf<T>(rows: readonly T[], width: number): Generator<readonly T[]> {
  const maxRows = Math.floor(60_000 / width);
  for (let from = 0; from < rows.length; from += maxRows) yield rows.slice(from, from + maxRows);
}

function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += MAX_ROWS_PER_INSERT)
    yield rows.slice(from, from + MAX_ROWS_PER_INSERT);
}

/** Numbered placeholders for `rows` rows, each with the types of its columns. */
function tuplesOf(rows: number, types: readonly string[]): string {
  const placeholders = (row: number) => types.map((type, at) => `$${row * types.length + at + 1}${type}`).join(', ');
  return Array.from({ length: rows }, (_, row) => `(${placeholders(row)})`).join(', ');
}

/** No SQL text of ours holds a literal question mark, so each one is a placeholder. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}
