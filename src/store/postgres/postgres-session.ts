// One connection to a PostgreSQL server. A broken or silent connection affects only this session: later statements on
// it fail, and nothing is sent any more.

import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Client, ClientBase, QueryResult } from 'pg';
import { systemClock, withTimeout } from '#kernel/time/clock.ts';
import { isBreak, StoreUnreachable, unreachableBy } from '#store/unreachable.ts';
import { NamedStatements } from './named-statements.ts';
import type { PostgresLimits } from './postgres-limits.ts';

const END = Temporal.Duration.from({ seconds: 2 });
/** A vanished peer is noticed about twenty seconds after its last packet. */
const KEEP_ALIVE_MS = 10_000;

/** The server process of a connection. Process ids are reused, so the start time belongs to the identity. */
export interface Backend {
  readonly pid: number;
  readonly begunAt: string;
}

/** The session makes the socket, because a silent connection can be ended only through its socket. */
export type MakeClient = (stream: () => Socket) => Client;

export class Session {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #briefMs: number;
  readonly #named = new NamedStatements();
  #broken: StoreUnreachable | undefined;
  #answeredAt = performance.now();
  #waiting = 0;
  #backend: Backend | undefined;

  constructor(make: MakeClient, { briefMs }: PostgresLimits) {
    this.#briefMs = briefMs;
    const socket = aliveSocket();
    this.#socket = socket;
    this.#client = make(() => socket);
    // A connection that breaks may report it more than once.
    this.#client.on('error', (error) => this.#breakOff(error));
    this.#client.on('end', () => this.#breakOff(new Error('Connection terminated')));
  }

  get isWhole(): boolean {
    return this.#broken === undefined;
  }

  /** Time since the last answer; zero while a statement runs. */
  get idleMs(): number {
    return this.#waiting > 0 ? 0 : performance.now() - this.#answeredAt;
  }

  get backend(): Backend | undefined {
    return this.#backend;
  }

  async connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      // Any failure to connect means that the database is unreachable.
      throw this.#breakOff(error);
    }
    const [asked] = await this.query(
      `select pg_backend_pid() as pid, (select extract(epoch from backend_start)::text
       from pg_stat_activity where pid = pg_backend_pid()) as begun_at`,
      { timeoutMs: this.#briefMs },
    );
    const { pid, begun_at } = asked?.rows[0] ?? {};
    this.#backend = { pid: Number(pid), begunAt: String(begun_at) };
    // A pooler tells a number of its own when it is connected to.
    if (processOf(this.#client) === Number(pid)) this.#named.start();
  }

  /** Statements for the beginning of a transaction, with a semicolon behind them. */
  get planRenewal(): string {
    return this.#named.renewal(performance.now());
  }

  /** One result for each statement; only a text without values may have several. */
  async query(
    text: string,
    { values = [], timeoutMs }: { values?: readonly unknown[]; timeoutMs: number },
  ): Promise<QueryResult[]> {
    if (this.#broken) throw this.#broken;
    this.#waiting += 1;
    this.#writeTogether();
    const name = values.length > 0 ? this.#named.nameFor(text) : undefined;
    try {
      // The declared types know `query_timeout` for whole connections only.
      const question = { text, values: [...values], query_timeout: timeoutMs, ...(name === undefined ? {} : { name }) };
      const raw: QueryResult | QueryResult[] = await this.#client.query(question);
      this.#answeredAt = performance.now();
      this.#named.answered(text, name);
      return Array.isArray(raw) ? raw : [raw];
    } catch (error) {
      this.#named.refused(text, name, error);
      if (isBreak(error)) throw this.#breakOff(error);
      throw unreachableBy(error) ?? error;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Statements that are sent one after another leave in one packet. */
  #writeTogether(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    process.nextTick(() => this.#socket.uncork());
  }

  /** Closes the connection, with a short timeout. */
  async end(): Promise<void> {
    if (!this.#broken) await withTimeout(systemClock, END, this.#client.end(), undefined);
    this.#breakOff(new Error('Connection terminated'));
  }

  #breakOff(cause: unknown): StoreUnreachable {
    this.#broken ??= new StoreUnreachable(cause);
    this.#socket.destroy();
    return this.#broken;
  }
}

export function aliveSocket(): Socket {
  return new Socket().setKeepAlive(true, KEEP_ALIVE_MS);
}

/** The number of the server process that was told with the connection; the declared types do not know it. */
export const processOf = (client: ClientBase): unknown => Reflect.get(client, 'processID');
