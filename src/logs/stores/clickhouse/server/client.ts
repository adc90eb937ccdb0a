// Statements on one server of ClickHouse over its HTTP interface. A statement has an id; one that is given up, by its caller or by
// its deadline, is killed there until it is gone. Values are bound as parameters, never written into a statement.

import { randomUUID } from 'node:crypto';
import type { Agent, IncomingMessage } from 'node:http';
import { MASK } from '#contract/secret-names.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { StageMeter } from '#logs/stage-recorder.ts';
import { http, https } from '#runtime/http-clients.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import { type ServerAddress, serverName } from './address.ts';
import { NoAnswer, StatementFailed } from './failures.ts';
import { answersPing, Heartbeat } from './heartbeat.ts';
import { type ParamValue, paramText } from './params.ts';

export type StatementSettings = Readonly<Record<string, string | number>>;

export interface StatementOptions {
  readonly settings?: StatementSettings;
  /** Values of `{name:Type}` in the statement. */
  readonly params?: Readonly<Record<string, ParamValue>>;
  /** Gives the statement up. */
  readonly signal?: AbortSignal;
  /** Without one a short statement has `SHORT`. */
  readonly deadline?: Temporal.Duration;
  /** By which others find it while it runs. */
  readonly queryId?: string;
  /** Gets what the statement reads and gives; the answer is then made as a whole before it is sent, since its head tells. */
  readonly meter?: StageMeter | undefined;
}

interface ClientDeps {
  /** Deadlines are of real time, also where the service has another clock. */
  readonly clock: Clock;
  readonly address: ServerAddress;
}

/** What all views of a client have in common. */
interface Connection {
  readonly agent: Agent;
  readonly heartbeat: Heartbeat;
  readonly kills: Set<Promise<void>>;
  readonly closing: AbortController;
}

interface Request extends StatementOptions {
  readonly query?: string;
  readonly body: string | Buffer;
}

const SHORT = Temporal.Duration.from({ seconds: 30 });
const KILL_DELAYS = sameDelay(200, 49);
const MAX_SOCKETS = 64;

/** The least that is said of an error whose text is longer. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Also of an answer with the status 200: a server that could not read the whole of an insert has been seen to give one. */
const EXCEPTION_CODE = 'x-clickhouse-exception-code';

/** The status then tells of every error, and the head of all that was read. */
const WHOLE = { wait_end_of_query: '1' } as const;

/** Rows and bytes that a statement has read, as JSON. */
const SUMMARY = 'x-clickhouse-summary';

/** Of statements that change nothing: limits may be set, data may not be written. */
const READING = { readonly: 2, cancel_http_readonly_queries_on_client_close: 1 } as const;

export class ClickhouseClient {
  readonly #deps: ClientDeps;
  readonly #connection: Connection;
  /** Of every statement; they count more than those of a statement. */
  readonly #settings: StatementSettings;

  constructor(deps: ClientDeps, settings: StatementSettings = {}, connection = connect(deps)) {
    this.#deps = deps;
    this.#settings = settings;
    this.#connection = connection;
  }

  /** The same server, with settings for every statement. It is closed with this client. */
  within(settings: StatementSettings): ClickhouseClient {
    return new ClickhouseClient(this.#deps, { ...this.#settings, ...settings }, this.#connection);
  }

  get name(): string {
    return serverName(this.#deps.address);
  }

  get database(): string {
    return this.#deps.address.database;
  }

  /** The rows of a short answer, whole numbers as numbers. */
  async rows(statement: string, options: StatementOptions = {}): Promise<readonly (readonly Json[])[]> {
    const settings = { ...READING, output_format_json_quote_64bit_integers: 0, ...options.settings };
    const text = await this.#text({ ...options, settings, body: `${statement} format JSONCompactEachRow` });
    const lines = text === '' ? [] : text.trimEnd().split('\n');
    options.meter?.moved(lines.length, Buffer.byteLength(text));
    return lines.map((line) => JSON.parse(line));
  }

  /** The answer of a statement that takes no format, tab-separated. */
  async text(statement: string, options: StatementOptions = {}): Promise<string> {
    return (await this.#text({ ...options, body: statement })).trimEnd();
  }

  /** A statement that changes something and gives no rows. */
  async execute(statement: string, options: StatementOptions = {}): Promise<void> {
    await this.#text({ ...options, body: statement });
  }

  /** `statement` ends with the format of the data. Resolves when the rows are as durable as their table promises. */
  async insert(statement: string, data: Buffer, options: StatementOptions = {}): Promise<void> {
    await this.#text({ ...options, query: statement, body: data });
  }

  /**
   * Hands a long answer over piece by piece. An answer that breaks off rejects, but one that the server ended with an error
   * in its midst may not: the caller checks that what it got is whole. Its bytes are counted here, its rows by the caller.
   */
  async download(
    statement: string,
    { take, ...options }: StatementOptions & { take(piece: Buffer): Promise<void> },
  ): Promise<void> {
    const settings = { ...READING, ...options.settings };
    const { meter } = options;
    const takeAll = async (answer: IncomingMessage) => {
      for await (const piece of answer) {
        meter?.moved(0, piece.length);
        await take(piece);
      }
    };
    await this.#answered({ ...options, settings, body: statement }, takeAll, meter ? WHOLE : {});
  }

  /** Rows that a statement has read so far; undefined where it does not run. */
  async rowsReadBy(queryId: string): Promise<number | undefined> {
    const statement = 'select sum(read_rows), count() from system.processes where initial_query_id = {id:String}';
    const [row] = await this.rows(statement, { params: { id: queryId } });
    return Number(row?.[1] ?? 0) === 0 ? undefined : Number(row?.[0]);
  }

  /** Resolves when no statement of that id runs. */
  async kill(queryId: string): Promise<void> {
    const statement = 'kill query where query_id = {id:String} sync';
    await this.execute(statement, { params: { id: queryId }, deadline: KILL_DEADLINE });
  }

  /** Resolves when statements that were given up are gone, or their server is. */
  async close(): Promise<void> {
    const { closing, kills, agent } = this.#connection;
    closing.abort();
    await Promise.all(kills);
    agent.destroy();
  }

  async #text(request: Request): Promise<string> {
    const pieces: Buffer[] = [];
    await this.#answered(
      request,
      async (answer) => {
        for await (const piece of answer) pieces.push(piece);
      },
      WHOLE,
    );
    return Buffer.concat(pieces).toString('utf8');
  }

  async #answered(
    { deadline = SHORT, signal, queryId = randomUUID(), meter, ...request }: Request,
    take: (answer: IncomingMessage) => Promise<void>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    signal?.throwIfAborted();
    const over = new AbortController();
    const late = new AbortController();
    void this.#deps.clock.sleep(deadline, over.signal).then(() => over.signal.aborted || late.abort());
    void this.#connection.heartbeat.lost(over.signal).then(() => over.signal.aborted || late.abort());
    const ending = AbortSignal.any([late.signal, ...(signal ? [signal] : [])]);
    try {
      const answer = await this.#send({ ...request, queryId }, more, ending);
      if (answer.statusCode !== 200 || answer.headers[EXCEPTION_CODE] !== undefined) throw await this.#failure(answer);
      meter?.read(...readIn(answer));
      await take(answer);
      if (!answer.complete) throw new NoAnswer(this.name);
    } catch (error) {
      if (ending.aborted) this.#abandon(queryId);
      if (signal?.aborted) throw signal.reason;
      throw error instanceof StatementFailed || error instanceof NoAnswer || !isOfConnection(error)
        ? error
        : new NoAnswer(this.name, error);
    } finally {
      over.abort();
      meter?.ended();
    }
  }

  #send(
    { query, body, settings = {}, params = {}, queryId }: Request & { queryId: string },
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { host, port, isTls, user, password, database } = this.#deps.address;
    const url = new URLSearchParams({ query_id: queryId, database, ...more });
    if (query !== undefined) url.set('query', query);
    for (const [name, value] of Object.entries({ ...settings, ...this.#settings })) url.set(name, String(value));
    for (const [name, value] of Object.entries(params)) url.set(`param_${name}`, paramText(value));
    const data = typeof body === 'string' ? Buffer.from(body) : body;
    const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password, 'content-length': data.length };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const about = { host, port, path: `/?${url}`, method: 'POST', headers, agent: this.#connection.agent, signal };
    const sending = (isTls ? https : http).request(about, resolve);
    sending.on('error', reject);
    sending.end(data);
    return promise;
  }

  async #failure(answer: IncomingMessage): Promise<Error> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer) {
      if (size < MAX_ERROR_BYTES) pieces.push(piece);
      size += piece.length;
    }
    const text = Buffer.concat(pieces).toString('utf8');
    const code = Number(answer.headers[EXCEPTION_CODE] ?? /^Code: (\d+)/.exec(text)?.[1]);
    // A proxy in front of the server answers so where the server does not.
    if (Number.isNaN(code) && [502, 503, 504].includes(answer.statusCode ?? 0)) return new NoAnswer(this.name);
    return new StatementFailed(Number.isNaN(code) ? 0 : code, this.#withoutSecrets(text));
  }

  /** The server names the account in some errors. */
  #withoutSecrets(text: string): string {
    const { user, password } = this.#deps.address;
    return [password, user].filter((secret) => secret !== '').reduce((shown, one) => shown.replaceAll(one, MASK), text);
  }

  /** In the background: a server that does not answer is asked again. */
  #abandon(queryId: string): void {
    const { kills } = this.#connection;
    const killing = this.#killUntilGone(queryId).finally(() => kills.delete(killing));
    kills.add(killing);
  }

  async #killUntilGone(queryId: string): Promise<void> {
    const { signal } = this.#connection.closing;
    const options = { clock: this.#deps.clock, delays: KILL_DELAYS, signal };
    // A statement that is not killed ends by itself at its time limit, or with its server.
    await retry(() => this.kill(queryId), options).catch(() => undefined);
  }
}

function connect({ clock, address }: ClientDeps): Connection {
  const { host, port, isTls } = address;
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const agent = new (isTls ? https : http).Agent(options);
  const ping = (signal: AbortSignal) => answersPing({ host, port, isTls, signal });
  return { agent, heartbeat: new Heartbeat({ clock, ping }), kills: new Set(), closing: new AbortController() };
}

/** Null where the server does not tell. */
function readIn({ headers }: IncomingMessage): [rows: number | null, bytes: number | null] {
  try {
    const { read_rows: rows, read_bytes: bytes } = JSON.parse(String(headers[SUMMARY]));
    return [countOf(rows), countOf(bytes)];
  } catch {
    return [null, null];
  }
}

/** The server writes numbers as texts. */
const countOf = (text: unknown): number | null => (/^\d+$/.test(String(text)) ? Number(text) : null);

const KILL_DEADLINE = Temporal.Duration.from({ seconds: 5 });

/** Errors of sockets and of aborted requests have a code; others are defects of the caller. */
const isOfConnection = (error: unknown): boolean => error instanceof Error && 'code' in error;
