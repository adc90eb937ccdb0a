// A connection of its own on which PostgreSQL tells a process what others notify. It comes back by itself when it breaks; what was
// told meanwhile is lost, so nothing may depend on it alone.

import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { type Clock, systemClock, withTimeout } from '#kernel/time/clock.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import { POSTGRES_LIMITS } from '#store/postgres/postgres-limits.ts';
import { aliveSocket } from '#store/postgres/postgres-session.ts';
import type { Notice } from './bus.ts';

const RECONNECT_MS = 1000;
const CLOSE = Temporal.Duration.from({ seconds: 2 });
/** A statement that is not answered by then breaks the connection. */
const ANSWER_MS = 5000;

interface ListenerDeps {
  readonly url: string;
  readonly channels: readonly string[];
  readonly clock: Clock;
  received(channel: string, payload: string): void;
  /** Called whenever it listens from now on. */
  connected(): void;
}

export class PostgresListener {
  readonly #deps: ListenerDeps;
  readonly #closing = new AbortController();
  #listening: { readonly client: Client; readonly socket: Socket } | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(deps: ListenerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#working = this.#work();
  }

  get isListening(): boolean {
    return this.#listening !== undefined;
  }

  /** Tells every process that listens, this one too. Lost while the connection is broken. */
  async notify(notices: readonly Notice[]): Promise<void> {
    const listening = this.#listening;
    if (!listening) return;
    const { client, socket } = listening;
    // The declared types know `query_timeout` for whole connections only.
    const calls = notices.map((_, at) => `pg_notify($${2 * at + 1}, $${2 * at + 2})`);
    const values = notices.flatMap(({ channel, payload }) => [channel, payload]);
    const statement = { text: `select ${calls.join(', ')}`, values, query_timeout: ANSWER_MS };
    await client.query(statement).catch(() => socket.destroy());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listening?.socket.destroy();
    await withTimeout(systemClock, CLOSE, this.#working, undefined);
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    const options = { clock: this.#deps.clock, delays: sameDelay(RECONNECT_MS), signal };
    // The feed reads without it meanwhile. Rejects only when it is closed.
    await retry(() => this.#listenUntilBroken(), options).catch(() => undefined);
  }

  /** Rejects when the connection breaks; resolves only if it was closed meanwhile. */
  async #listenUntilBroken(): Promise<void> {
    const { url, channels, received, connected } = this.#deps;
    const { default: pg } = await import('pg');
    const socket = aliveSocket();
    const client = new pg.Client({
      connectionString: url,
      application_name: 'vigil',
      connectionTimeoutMillis: POSTGRES_LIMITS.connectMs,
      stream: () => socket,
    });
    const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>();
    socket.once('close', breakOff);
    client.on('error', () => socket.destroy());
    client.on('notification', ({ channel, payload }) => received(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of channels) await client.query(`listen ${channel}`);
      if (this.#closing.signal.aborted) return;
      this.#listening = { client, socket };
      connected();
      await broken;
      throw new Error('the connection is broken');
    } finally {
      this.#listening = undefined;
      socket.destroy();
    }
  }
}
