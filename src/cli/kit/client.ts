// The service as seen from the command line: HTTP with a key, over the fetch that Node brings along.

import { productManifest } from '#http/product.ts';
import { parseExactly } from '#kernel/exact-json.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Flags, Invocation } from './command.ts';
import { codeOf, ServiceError } from './failure.ts';
import { readTextFile } from './text-file.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8470';
const BASE_PATH = '/api/core';

export const clientFlags: Flags = {
  url: {
    hint: 'URL',
    about: { en: 'where the service is', ko: '서비스 주소' },
    variable: 'VIGIL_URL',
    initial: DEFAULT_URL,
  },
  // There is no flag for the key itself: everyone on the machine can read the arguments of a process.
  'key-file': {
    hint: 'FILE',
    about: { en: 'file that holds the key, in place of VIGIL_KEY', ko: 'VIGIL_KEY 대신 키를 읽을 파일' },
  },
};

export type Params = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Client {
  readonly url: string;
  /** Whether a text has the key in it, which is then written down nowhere. */
  holdsKey(text: string): boolean;
  /** `T` is what the reference of operations promises as the answer; it is taken at its word. */
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, params?: Params): Promise<T>;
  stream(path: string, query?: Readonly<Record<string, string>>): Promise<ReadableStream<Uint8Array>>;
  /** The answer as it came, a refusal too. */
  request(method: string, path: string, request?: Pick<RequestInit, 'headers' | 'body'>): Promise<Response>;
  /** The body of such an answer, or what the service refused with. */
  read<T>(answer: Response): Promise<T>;
  /** The same, but numbers that a double cannot hold are raw JSON, with the digits that were sent. */
  readExactly<T>(answer: Response): Promise<T>;
}

export function connect({ flags, environment }: Pick<Invocation, 'flags' | 'environment'>): Client {
  const url = readUrl(flags.url ?? (environment.VIGIL_URL || DEFAULT_URL));
  const agent = `vigil-shell/${productManifest().version}`;
  const key = readKey(flags['key-file'], environment.VIGIL_KEY);
  const authorization = `Bearer ${key}`;

  function request(method: string, path: string, { headers, body }: RequestInit = {}): Promise<Response> {
    return reach(url, `${url}${BASE_PATH}${path}`, {
      method,
      headers: { authorization, 'user-agent': agent, ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
      // A redirected POST would become a GET, and look as if it had worked.
      redirect: 'manual',
    });
  }

  async function call(method: string, path: string, params?: Params): Promise<Response> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) };
    const answer = await request(method, path, params ? json : {});
    if (!answer.ok) throw await refusalOf(answer, url);
    return answer;
  }

  return {
    url,
    holdsKey: (text) => text.includes(key),
    get: async (path, query) => await jsonOf(await call('GET', `${path}${queryText(query)}`), url),
    send: async (method, path, params) => await jsonOf(await call(method, path, params), url),
    async stream(path, query) {
      const { body } = await call('GET', `${path}${queryText(query)}`);
      return body ?? new ReadableStream({ start: (empty) => empty.close() });
    },
    request,
    async read(answer) {
      if (!answer.ok) throw await refusalOf(answer, url);
      return await jsonOf(answer, url);
    },
    async readExactly(answer) {
      if (!answer.ok) throw await refusalOf(answer, url);
      return await jsonOf(answer, url, parseExactly);
    },
  };
}

/** The parameters that the given flags stand for. */
export function paramsOf(declared: Flags, given: Invocation['flags']): Record<string, string | readonly string[]> {
  const params: Record<string, string | readonly string[]> = {};
  for (const [name, { sends, isList }] of Object.entries(declared)) {
    const value = given[name];
    if (sends !== undefined && value !== undefined) params[sends] = isList ? itemsOf(value) : value;
  }
  return params;
}

/** The same for a query string, where a list is one text. */
export const queryOf = (declared: Flags, given: Invocation['flags']): Record<string, string> =>
  Object.fromEntries(Object.entries(paramsOf(declared, given)).map(([name, value]) => [name, String(value)]));

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function queryText(query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!isUsable) throw new UsageError('url-wrong', { url: text });
  return url.href.replace(/\/+$/, '');
}

function readKey(file: string | undefined, variable: string | undefined): string {
  const key = (file === undefined ? (variable ?? '') : readTextFile(file)).trim();
  if (key === '') throw new UsageError('key-missing');
  // Anything else cannot travel in a header; most likely the file is another one.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('key-malformed');
  return key;
}

async function reach(url: string, address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    // fetch says only that it failed; the reason is its cause.
    const cause = error instanceof Error ? error.cause : undefined;
    const reason = codeOf(cause) || (cause instanceof Error ? cause.message : String(error));
    throw new UsageError('unreachable', { url, reason }, { cause: error });
  }
}

async function jsonOf<T>(answer: Response, url: string, parse: (text: string) => unknown = JSON.parse): Promise<T> {
  try {
    return parse(await answer.text()) as T; // See Client.
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw brokenOff(url, cause);
    throw new UsageError('not-vigil', { url, status: String(answer.status) }, { cause });
  }
}

/** The connection ended in the middle of an answer. */
export const brokenOff = (url: string, cause: unknown): UsageError => new UsageError('broken-off', { url }, { cause });

async function refusalOf(answer: Response, url: string): Promise<Error> {
  const notVigil = new UsageError('not-vigil', { url, status: String(answer.status) });
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return notVigil;
  const body = await jsonOf<{ error_code?: unknown; error_msg?: unknown } | null>(answer, url);
  if (typeof body?.error_code !== 'string' || typeof body.error_msg !== 'string') return notVigil;
  return new ServiceError(body.error_code, body.error_msg);
}
