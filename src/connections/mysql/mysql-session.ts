// A session with MariaDB or MySQL. Statements are prepared, so that the server takes one alone.

import { isIP, Socket } from 'node:net';
import type { Connection } from 'mysql2';
import { ByteMeter } from '#connections/byte-meter.ts';
import { DatabaseUnreachable, StatementRefused } from '#connections/databases/database-failure.ts';
import {
  CONNECT_MS,
  type DatabaseSession,
  type DatabaseTarget,
  MAX_ROW_BYTES,
  type SessionStatement,
  type StatementRows,
} from '#connections/databases/database-session.ts';
import { RowReader, refusalOf } from './mysql-row-reader.ts';
import { sentValue } from './mysql-values.ts';

type Driver = typeof import('mysql2');

export async function openMysql(target: DatabaseTarget): Promise<MysqlSession> {
  const { default: driver } = await import('mysql2');
  const socket = new Socket();
  const connection = driver.createConnection({
    host: certificateName(target.host),
    port: target.port,
    user: target.user,
    ...(target.password === undefined ? {} : { password: target.password }),
    database: target.database,
    ...(target.tls === 'off' ? {} : { ssl: tlsOptions(target) }),
    stream: () => socket.connect(target.port, target.address),
    connectTimeout: CONNECT_MS,
    // A server could ask for any file of this machine otherwise, or for code.
    flags: ['-LOCAL_FILES'],
    disableEval: true,
    multipleStatements: false,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
  });
  const session = new MysqlSession(target, { driver, connection, socket });
  await session.connect();
  return session;
}

/**
 * The name that the certificate must have; the connection goes to the address. The driver would compare a certificate for an
 * address with `localhost`, unless the address is written with the dot that ends a name: comparing leaves that out.
 */
const certificateName = (host: string): string => (isIP(host) ? `${host}.` : host);

const tlsOptions = ({ tls, ca }: DatabaseTarget) => ({
  rejectUnauthorized: tls === 'verify',
  verifyIdentity: tls === 'verify',
  ...(ca === undefined ? {} : { ca }),
});

interface Parts {
  readonly driver: Driver;
  readonly connection: Connection;
  readonly socket: Socket;
}

/** What the types of the driver leave out. */
interface DriverConnection {
  readonly stream: Socket;
  readonly _handshakePacket?: { readonly serverVersion?: string };
  reset(done: (error: Error | null) => void): void;
  pause(): void;
  resume(): void;
}

class MysqlSession implements DatabaseSession {
  readonly #target: DatabaseTarget;
  readonly #parts: Parts;
  readonly #meter: ByteMeter;
  #isOpen = true;
  /** Of the statement that runs. */
  #reader: RowReader | undefined;
  #offset = '+00:00';

  constructor(target: DatabaseTarget, parts: Parts) {
    this.#target = target;
    this.#parts = parts;
    this.#meter = new ByteMeter((failure) => parts.socket.destroy(failure));
    const leave = () => {
      this.#isOpen = false;
      this.#reader?.fail(new DatabaseUnreachable());
    };
    parts.connection.on('error', leave);
    parts.connection.on('end', leave);
    parts.socket.on('close', leave);
  }

  get version(): string {
    return this.#own._handshakePacket?.serverVersion ?? '';
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get #own(): DriverConnection {
    return this.#parts.connection as unknown as DriverConnection;
  }

  async connect(): Promise<void> {
    try {
      const { connection, socket } = this.#parts;
      // From the first byte: a server may send anything before it has greeted.
      this.#meter.watch(socket);
      await answered((done) => connection.connect(done));
      if (this.#own.stream !== this.#parts.socket) this.#meter.watch(this.#own.stream);
    } catch (error) {
      this.close();
      throw connectFailure(error);
    }
  }

  /** By its offset of now: not every server knows the names of zones. */
  async setZone(zone: string, now: Temporal.Instant): Promise<void> {
    this.#offset = now.toZonedDateTimeISO(zone).offset.slice(0, '+09:00'.length);
    await this.#command(`set time_zone = '${this.#offset}'`);
  }

  limitRows(count: number): Promise<void> {
    return this.#command(`set sql_select_limit = ${Math.trunc(count)}`);
  }

  begin(access: 'read only' | 'read write'): Promise<void> {
    return this.#command(`start transaction ${access}`);
  }

  commit(): Promise<void> {
    return this.#command('commit');
  }

  rollback(): Promise<void> {
    return this.#command('rollback');
  }

  async reset(): Promise<void> {
    this.#meter.beginStatement(MAX_ROW_BYTES);
    await answered((done) => this.#own.reset(done));
  }

  /** A statement of the service itself: servers do not prepare all of them. */
  async #command(text: string): Promise<void> {
    this.#meter.beginStatement(MAX_ROW_BYTES);
    await answered((done) => this.#parts.connection.query(text, (error) => done(error && refusalOf(error))));
  }

  async run(statement: SessionStatement): Promise<void> {
    for await (const _ of this.rows(statement));
  }

  async *rows({ text, values, zone, maxBytes, limit }: SessionStatement): AsyncGenerator<StatementRows> {
    this.#meter.beginStatement(maxBytes);
    const { driver, connection } = this.#parts;
    const sent = values.map((value, index) => {
      const made = sentValue(value, index, zone);
      return made !== null && typeof made === 'object' && 'long' in made
        ? driver.TypedParameter.LONGLONG(made.long)
        : made;
    });
    const reader = new RowReader(this.#own, { zone, offset: this.#offset });
    this.#reader = reader;
    // The parameters are of the types that the driver takes; its own type for them is narrower.
    reader.follow(connection.execute(text, sent as never) as never, this.#meter);
    let left = limit ?? Number.POSITIVE_INFINITY;
    let isWhole = false;
    try {
      for (;;) {
        const page = await reader.next();
        // What is too much may have come in one piece, with its end.
        if (this.#meter.failure) throw this.#meter.failure;
        const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
        left -= rows.length;
        yield { names: page.names, rows };
        isWhole = page.isLast;
        if (isWhole || left <= 0) return;
      }
    } catch (error) {
      isWhole = error instanceof StatementRefused;
      throw this.#meter.failure ?? (isWhole ? error : new DatabaseUnreachable());
    } finally {
      // Rows that are left over would have to be read to the last; the server stops making them instead.
      if (!isWhole && this.#isOpen) await this.cancel();
    }
  }

  /** Ends the statement of another session. */
  kill(thread: number): Promise<void> {
    return this.#command(`kill query ${thread}`);
  }

  async cancel(): Promise<void> {
    const { threadId } = this.#parts.connection;
    const isRunning = this.#isOpen;
    // No statement follows on it.
    this.#isOpen = false;
    if (isRunning && typeof threadId === 'number') await killQuery(this.#target, threadId);
    this.close();
  }

  close(): void {
    this.#isOpen = false;
    this.#parts.connection.destroy();
    this.#parts.socket.destroy();
  }
}

/** Settles when the driver calls back. */
function answered(ask: (done: (error: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  ask((error) => (error ? reject(error) : resolve()));
  return promise;
}

async function killQuery(target: DatabaseTarget, thread: number): Promise<void> {
  try {
    const other = await openMysql(target);
    await other.kill(thread);
    other.close();
  } catch {
    // The statement ends with its connection then, as soon as the server notices.
  }
}

const TLS_CODES = /CERT|TLS|SSL|UNABLE_TO_VERIFY|SELF_SIGNED|ALTNAME/;

function connectFailure(error: unknown): DatabaseUnreachable {
  const { code = '', message = '', sqlState } = error as { code?: string; message?: string; sqlState?: string };
  if (TLS_CODES.test(code) || /SSL|TLS|secure connection|certificate/i.test(message)) {
    return new DatabaseUnreachable('tls');
  }
  return new DatabaseUnreachable(sqlState === undefined ? 'unreachable' : 'refused');
}
