// A session with PostgreSQL.

import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { Client } from 'pg';
import { ByteMeter } from '#connections/byte-meter.ts';
import { DatabaseUnreachable, StatementRefused } from '#connections/databases/database-failure.ts';
import {
  BATCH_BYTES,
  BATCH_ROWS,
  CONNECT_MS,
  type DatabaseSession,
  type DatabaseTarget,
  MAX_ROW_BYTES,
  type SessionStatement,
  type StatementRows,
} from '#connections/databases/database-session.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { fixedMinutes } from '#query/model/zones.ts';
import { type CursorPage, PostgresCursor } from './postgres-cursor.ts';
import { boundValue, languageValue } from './postgres-values.ts';

/** Texts of dates and numbers are those that are read here, whatever the server's settings; `discard all` keeps them. */
const OPTIONS = '-c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex';

export async function openPostgres(target: DatabaseTarget): Promise<DatabaseSession> {
  const { default: pg } = await import('pg');
  const socket = new Socket();
  const client: Client = new pg.Client({
    host: target.address,
    port: target.port,
    user: target.user,
    database: target.database,
    // Without it the driver would read a password file of the account that runs the service.
    password: target.password ?? '',
    ssl: tlsOptions(target),
    options: OPTIONS,
    application_name: 'vigil',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    stream: () => socket,
  });
  const session = new PostgresSession(target, client, socket);
  await session.connect();
  return session;
}

function tlsOptions({ tls, host, ca }: DatabaseTarget) {
  if (tls === 'off') return false;
  const isVerified = tls === 'verify';
  return {
    rejectUnauthorized: isVerified,
    ...(ca === undefined ? {} : { ca }),
    ...(isName(host) ? { servername: host } : {}),
    // The connection goes to an address; the certificate is for the name.
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      isVerified ? checkServerIdentity(host, certificate) : undefined,
  };
}

const isName = (host: string): boolean => !/^[\d.]+$/.test(host) && !host.includes(':');

class PostgresSession implements DatabaseSession {
  readonly #target: DatabaseTarget;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #meter: ByteMeter;
  #isOpen = true;

  constructor(target: DatabaseTarget, client: Client, socket: Socket) {
    this.#target = target;
    this.#client = client;
    this.#socket = socket;
    this.#meter = new ByteMeter((failure) => socket.destroy(failure));
    const leave = () => {
      this.#isOpen = false;
    };
    client.on('error', leave);
    client.on('end', leave);
    socket.on('error', leave);
  }

  version = '';

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async connect(): Promise<void> {
    try {
      // From the first byte: a server may send anything before it has greeted.
      this.#meter.watch(this.#socket);
      const { connection } = this.#client as unknown as { connection: EventEmitter & { readonly stream: Socket } };
      connection.once('sslconnect', () => this.#meter.watch(connection.stream));
      await this.#client.connect();
      const [first] = await Array.fromAsync(this.rows({ ...PLAIN, text: 'show server_version' }));
      this.version = String(first?.rows[0]?.values().next().value ?? '');
    } catch (error) {
      this.close();
      throw connectFailure(error);
    }
  }

  async setZone(zone: string): Promise<void> {
    // A server may not know the zone: times without one are then those of its own.
    await this.run({ ...PLAIN, text: "select set_config('TimeZone', $1, false)", values: [serverZone(zone)] }).catch(
      (error) => {
        if (!(error instanceof StatementRefused)) throw error;
      },
    );
  }

  /** A cursor asks for no more than it needs. */
  async limitRows(): Promise<void> {}

  begin(access: 'read only' | 'read write'): Promise<void> {
    return this.run({ ...PLAIN, text: `begin ${access}` });
  }

  commit(): Promise<void> {
    return this.run({ ...PLAIN, text: 'commit' });
  }

  rollback(): Promise<void> {
    return this.run({ ...PLAIN, text: 'rollback' });
  }

  async reset(): Promise<void> {
    await this.run({ ...PLAIN, text: 'discard all' });
  }

  async run(statement: SessionStatement): Promise<void> {
    for await (const _ of this.rows(statement));
  }

  async *rows({ text, values, zone, maxBytes, limit }: SessionStatement): AsyncGenerator<StatementRows> {
    this.#meter.beginStatement(maxBytes);
    let left = limit ?? Number.POSITIVE_INFINITY;
    // Small rows come many at a time; large ones would be too much work for one turn.
    let size = Math.min(BATCH_ROWS, left);
    const bound = values.map((value) => boundValue(value, zone));
    let bytes = 0;
    const cursor = new PostgresCursor(text, bound, { rows: Math.max(1, size), onRow: () => this.#meter.arrived() });
    this.#client.query(cursor);
    try {
      let page = await cursor.first();
      for (;;) {
        // What is too much may have come in one piece, with its end.
        if (this.#meter.failure) throw this.#meter.failure;
        left -= page.rows.length;
        yield rowsOf(page, zone);
        if (!page.hasMore || left <= 0) return;
        bytes = Math.max(1, bytesOf(page));
        size = Math.max(1, Math.min(BATCH_ROWS, left, Math.floor((page.rows.length * BATCH_BYTES) / bytes)));
        page = await cursor.next(size);
      }
    } catch (error) {
      throw this.#meter.failure ?? statementFailure(error);
    } finally {
      if (this.#isOpen && !this.#meter.failure) await cursor.end().catch(() => this.close());
    }
  }

  async cancel(): Promise<void> {
    const { processID } = this.#client as unknown as { processID: number | null };
    const isRunning = this.#isOpen;
    // No statement follows on it.
    this.#isOpen = false;
    if (isRunning && processID !== null) await cancelBackend(this.#target, processID);
    this.close();
  }

  close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }
}

/** Offsets of PostgreSQL count west of Greenwich, unless they have a name of their own. */
function serverZone(zone: string): string {
  const minutes = fixedMinutes(zone);
  return minutes === undefined ? zone : `<${zone}>${minutes < 0 ? '+' : '-'}${zone.slice(1)}`;
}

const PLAIN = { values: [] as Value[], zone: 'UTC', maxBytes: MAX_ROW_BYTES } as const;

async function cancelBackend(target: DatabaseTarget, pid: number): Promise<void> {
  try {
    const other = await openPostgres(target);
    await other.run({ ...PLAIN, text: 'select pg_cancel_backend($1::int)', values: [BigInt(pid)] });
    other.close();
  } catch {
    // The statement ends with its connection then, as soon as the server notices.
  }
}

function rowsOf({ fields, rows }: CursorPage, zone: string): StatementRows {
  const names = [...new Set(fields.map(({ name }) => name))];
  // A name that comes twice counts at its first position.
  const firsts = names.map((name) => fields.findIndex((field) => field.name === name));
  const maps = rows.map((row): MapValue => {
    const made = new Map<string, Value>();
    for (const [index, name] of names.entries()) {
      const position = firsts[index] ?? 0;
      const field = fields[position];
      if (field) made.set(name, languageValue(row[position] ?? null, field, zone));
    }
    return made;
  });
  return { names, rows: maps };
}

const bytesOf = ({ rows }: CursorPage): number =>
  rows.reduce((total, row) => total + row.reduce((sum, value) => sum + (value?.length ?? 0), 0), 0);

function statementFailure(error: unknown): Error {
  return error instanceof StatementRefused ? error : new DatabaseUnreachable();
}

/** Classes of SQLSTATE: authorization, and a database that does not exist or takes no more connections of the user. */
const REFUSED = /^(28|3D|42501|53300|57P0[34])/;
const TLS_CODES = /CERT|TLS|SSL|UNABLE_TO_VERIFY|SELF_SIGNED|ALTNAME/;

function connectFailure(error: unknown): DatabaseUnreachable {
  if (error instanceof DatabaseUnreachable) return error;
  const { code = '', message = '', severity } = error as { code?: string; message?: string; severity?: string };
  if (severity !== undefined) return new DatabaseUnreachable(REFUSED.test(code) ? 'refused' : 'unreachable');
  const isTls = TLS_CODES.test(code) || /SSL|TLS|certificate/i.test(message);
  return new DatabaseUnreachable(isTls ? 'tls' : 'unreachable');
}
