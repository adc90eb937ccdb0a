// Live queries as a client sees them: cursors, statuses, rows; and queries that do not end before they are told to.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { createLogger, push } from './logs.ts';
import { type CallOptions, MASTER_KEY, type Reply, type Service, type Wire } from './service.ts';
import { refused } from './suites.ts';
import { clientFor } from './tls.ts';
import { until } from './until.ts';

export type Caller = Pick<Service, 'call'>;

export const QUERY = '/api/core/query';
export const QUERIES = '/api/core/queries';
export const CURSORS = '/api/core/cursors';

export type Status = Wire;

export const notYours = (id: number | string) => refused(403, 'invalid-query-id', `cannot access query ${id}`);
export const badQuery = (message: string) => refused(400, 'invalid-query', message);

export interface CursorOptions extends Omit<CallOptions, 'json' | 'form'> {
  readonly background?: boolean;
  readonly params?: unknown;
  readonly tags?: unknown;
}

export const postCursor = (service: Caller, q: string, options: CursorOptions = {}): Promise<Reply> => {
  const { fields, call } = parted(options);
  return service.call('POST', CURSORS, { ...call, json: { q, ...fields } });
};

function parted({ background, params, tags, ...call }: CursorOptions) {
  return { fields: { background, params, tags }, call };
}

/** The id of a query that was accepted. */
export async function openCursor(service: Caller, q: string, options: CursorOptions = {}): Promise<number> {
  const answer = await postCursor(service, q, options);
  if (answer.status !== 200) throw new Error(`not accepted: ${answer.text}`);
  expect(['id', 'warnings', 'hints']).toEqual(expect.arrayContaining(Object.keys(answer.json)));
  return answer.json.id;
}

export async function statusOf(service: Caller, id: number, options: CallOptions = {}): Promise<Status> {
  const answer = await service.call('GET', `${QUERIES}/${id}`, options);
  if (answer.status !== 200) throw new Error(`no status of ${id}: ${answer.text}`);
  return answer.json;
}

/** Asks for the status until `isSo`; every status that was seen on the way. */
export async function watch(
  service: Caller,
  id: number,
  isSo: (status: Status) => boolean,
  options: CallOptions = {},
): Promise<Status[]> {
  const seen: Status[] = [];
  await until(async () => {
    const status = await statusOf(service, id, options);
    seen.push(status);
    return status;
  }, isSo);
  return seen;
}

export const reached = async (
  service: Caller,
  id: number,
  isSo: (status: Status) => boolean,
  options: CallOptions = {},
): Promise<Status> => (await watch(service, id, isSo, options)).at(-1);

export const isFinished = ({ is_finished }: Status): boolean => is_finished;
export const isRunning = ({ commands }: Status): boolean => commands[0].status === 'Running';

/** The last status of a query, once there is nothing more to come. */
export const finished = (service: Caller, id: number, options: CallOptions = {}): Promise<Status> =>
  reached(service, id, isFinished, options);

/** Runs a query to its end as a cursor. */
export async function ran(service: Caller, q: string, options: CursorOptions = {}): Promise<Status> {
  const id = await openCursor(service, q, options);
  return await finished(service, id, parted(options).call);
}

/** The record of any query, as an administrator finds it in the list. */
export async function listed(service: Caller, id: number, options: CallOptions = {}): Promise<Status | undefined> {
  const { json } = await service.call('GET', QUERIES, options);
  return json.queries.find((record: Status) => record.id === id);
}

export const listedUntil = (service: Caller, id: number, isSo: (status: Status) => boolean): Promise<Status> =>
  until(
    () => listed(service, id),
    (record) => record !== undefined && isSo(record),
  );

export const ask = (service: Caller, parameters: Readonly<Record<string, string>>, options: CallOptions = {}) =>
  service.call('GET', `${QUERY}?${new URLSearchParams(parameters)}`, options);

export const rowsFrom = (service: Caller, id: number, parameters = '', options: CallOptions = {}): Promise<Reply> =>
  service.call('GET', `${CURSORS}/${id}${parameters && `?${parameters}`}`, options);

export const linesOf = ({ text }: Reply): Status[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const cancel = (service: Caller, id: number, options: CallOptions = {}): Promise<Reply> =>
  service.call('POST', `${QUERIES}/${id}/cancel`, options);

/** Nothing may go on in the background of the next test. */
export async function endAll(service: Caller): Promise<void> {
  const { json } = await service.call('GET', `${QUERIES}?is_finished=false`);
  for (const { id } of json.queries) await cancel(service, id);
  for (const { id } of json.queries) await listedUntil(service, id, isFinished);
}

export const MANY = 20_000;

/** The table `many`: n from 0 on, k = n mod 10, a text; the guid of its logger. */
export async function fillMany(service: Caller, { table = 'many', count = MANY, storage = {} } = {}): Promise<string> {
  const logger = await createLogger(service, { table, storage });
  for (let from = 0; from < count; from += 20_000) {
    const length = Math.min(20_000, count - from);
    const lines = Array.from({ length }, (_, at) => {
      const n = from + at;
      return JSON.stringify({ n, k: n % 10, text: `record ${n}` });
    });
    const answer = await push(service, logger, { body: lines.join('\n') });
    if (answer.json?.accepted !== length) throw new Error(`not pushed: ${answer.text}`);
  }
  return logger;
}

const crossed = (name: string) => `join type=cross [ table many | fields n | rename n as ${name} ]`;
/** Billions of pairs of `many`: it does not end before somebody ends it, and has no row until then. */
export const ENDLESS = `table many | ${crossed('m')} | ${crossed('o')} | stats max(n * m + o) as x`;
/** The same with rows from the beginning on. */
export const ENDLESS_ROWS = `table many | ${crossed('m')} | ${crossed('o')}`;

/** Waits a year for what arrives: it runs as long and has no row either, and takes no processor from what a test looks at. */
export const WAITS_A_YEAR = 'table window=1y many | stats count';

/** Rows without end that need no table. */
export const ENDLESS_JSON = 'json "{a:1}" | repeat count=1000000000 | union [ json "[]" ]';

export interface Held extends Disposable {
  readonly id: number;
  readonly answer: IncomingMessage;
  /** Closes the connection. */
  drop(): void;
  /** Reads to the end; rejects where the answer is broken off. */
  rest(): Promise<string>;
}

/** A `GET /query` whose answer has begun and is not read: it runs, and costs nothing. */
export async function hold(url: string, q = ENDLESS_JSON, key = MASTER_KEY): Promise<Held> {
  const answer = await begin(url, `${QUERY}?${new URLSearchParams({ q })}`, { authorization: `Bearer ${key}` });
  if (answer.statusCode !== 200) throw new Error(`not held: ${Buffer.concat(await answer.toArray())}`);
  const id = Number(answer.headers['x-query-id']);
  const drop = () => void answer.destroy();
  const rest = async () => Buffer.concat(await answer.toArray()).toString();
  return { id, answer, drop, rest, [Symbol.dispose]: drop };
}

/** A `GET /query` whose answer is not waited for. */
export function sendQuery(url: string, q: string, key = MASTER_KEY): ClientRequest {
  const headers = { authorization: `Bearer ${key}` };
  return clientFor(url)
    .request(`${url}${QUERY}?${new URLSearchParams({ q })}`, { headers, agent: false })
    .end();
}

/** An answer of which nothing but its head has been read. */
export function begin(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = clientFor(url).request(`${url}${path}`, { headers, agent: false }, (answer) => {
    answer.on('error', () => undefined);
    resolve(answer);
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

/** The rest of an answer, and whether it came to its proper end. */
export async function readOut(answer: IncomingMessage): Promise<{ text: string; isComplete: boolean }> {
  const parts: Buffer[] = [];
  try {
    for await (const part of answer) parts.push(part);
  } catch {
    // Broken off: `complete` tells.
  }
  return { text: Buffer.concat(parts).toString(), isComplete: answer.complete };
}

export const pause = (milliseconds = 10) => new Promise((resolve) => setTimeout(resolve, milliseconds));
