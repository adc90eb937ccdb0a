// Live queries for tests: cursors, their ends, and a query that goes on for as long as a test wants.

import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type CallOptions, MASTER_KEY, type Service } from './service.ts';

type Caller = Pick<Service, 'call'>;

/** Gives more rows than anybody reads. */
export const ENDLESS = 'json "{a:1}" | repeat count=1000000000 | union [ json "[]" ]';

export interface CursorOptions extends Omit<CallOptions, 'form' | 'body'> {
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The id of a new cursor. */
export async function openCursor(
  service: Caller,
  q: string,
  { fields = {}, ...options }: CursorOptions = {},
): Promise<number> {
  const answer = await service.call('POST', '/api/core/cursors', { ...options, json: { q, ...fields } });
  if (answer.status !== 200) throw new Error(`no cursor: ${answer.text}`);
  return answer.json.id;
}

// biome-ignore lint/suspicious/noExplicitAny: a record on the wire is compared as it is
export type WireStatus = any;

export async function statusOf(service: Caller, id: number, options: CallOptions = {}): Promise<WireStatus> {
  const { status, json, text } = await service.call('GET', `/api/core/queries/${id}`, options);
  if (status !== 200) throw new Error(`no status: ${text}`);
  return json;
}

/** The status of a query once `isSo`. */
export async function statusWhen(
  service: Caller,
  id: number,
  isSo: (status: WireStatus) => boolean,
  options: CallOptions = {},
): Promise<WireStatus> {
  for (let round = 0; round < 500; round += 1) {
    const status = await statusOf(service, id, options);
    if (isSo(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`query ${id} never came so far: ${JSON.stringify(await statusOf(service, id, options))}`);
}

export const finished = (service: Caller, id: number, options: CallOptions = {}): Promise<WireStatus> =>
  statusWhen(service, id, ({ is_finished }) => is_finished, options);

/** A query that was run to its end as a cursor. */
export async function ran(service: Caller, q: string, options: CursorOptions = {}): Promise<WireStatus> {
  return await finished(service, await openCursor(service, q, options), options);
}

export interface HeldQuery {
  readonly id: number;
  /** Closes the connection. */
  drop(): void;
  /** Reads to the end; rejects where the answer is broken off. */
  rest(): Promise<string>;
}

/** A query that is being answered to somebody who does not read. */
export async function heldQuery(url: string, { q = ENDLESS, key = MASTER_KEY } = {}): Promise<HeldQuery> {
  const asked = ask(url, q, key);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on('response', resolve);
    asked.on('error', reject);
  });
  asked.on('error', () => undefined);
  return {
    id: Number(answer.headers['x-query-id']),
    drop: () => void asked.destroy(),
    rest: async () => Buffer.concat(await answer.toArray()).toString(),
  };
}

/** A query whose answer is not waited for. */
export function ask(url: string, q: string, key = MASTER_KEY): ClientRequest {
  const asked = request(`${url}/api/core/query?q=${encodeURIComponent(q)}`, {
    headers: { authorization: `Bearer ${key}` },
    agent: false,
  });
  asked.end();
  return asked;
}
