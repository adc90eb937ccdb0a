// The far side of the network for `vigil query`: answers the operations on queries as the reference says, from a script.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface StandInStatus {
  readonly rows?: number;
  readonly is_finished?: boolean;
  readonly is_cancelled?: boolean;
  readonly commands?: readonly { command: string; status: string; push_count: number }[];
  readonly [name: string]: unknown;
}

export interface Script {
  /** Each a connection to the events: statuses, then its end. The last is used again; without a finished one it stays open. */
  readonly events?: readonly (readonly StandInStatus[])[];
  /** In place of the id. */
  readonly refusal?: { readonly error_code: string; readonly error_msg: string };
  /** Beside the id. */
  readonly begun?: object;
  readonly mistakes?: readonly object[];
  /** Of the check of a refused text. */
  readonly replacement?: string;
  queryErrorsOf?(text: string): readonly object[];
  readonly columns?: readonly string[];
  readonly tables?: readonly string[];
  /** The answer to a request for rows. */
  rows?(query: URLSearchParams): string;
}

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly agent: string;
}

export interface QueryStandIn extends AsyncDisposable {
  readonly url: string;
  readonly heard: Heard[];
  /** `POST /cursors`, and so on. */
  calls(): string[];
}

const FINISHED: StandInStatus = { is_finished: true };

export async function startQueryStandIn(script: Script = {}): Promise<QueryStandIn> {
  const heard: Heard[] = [];
  const open = new Set<ServerResponse>();
  let connections = 0;

  const events = (answer: ServerResponse) => {
    const all = script.events ?? [[FINISHED]];
    const statuses = all[Math.min(connections, all.length - 1)] ?? [];
    connections += 1;
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    // A comment, and a message in two pieces, as networks will have it.
    answer.write(': here\n\n');
    for (const [at, status] of statuses.entries()) {
      const text = messageOf(status, at);
      answer.write(text.slice(0, 20));
      answer.write(text.slice(20));
    }
    const isLast = connections >= all.length;
    const isFinished = statuses.some(({ is_finished }) => is_finished);
    if (isFinished || !isLast) answer.end();
    else open.add(answer);
  };

  const server = createServer(async (request, answer) => {
    const body = await bodyOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://far');
    const path = pathname.replace('/api/core', '');
    const { method = '', headers } = request;
    heard.push({ method, path, body, agent: headers['user-agent'] ?? '' });
    const json = (value: object, status = 200) => {
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (path === '/cursors') return script.refusal ? json(script.refusal, 400) : json({ id: 7, ...script.begun });
    if (path === '/queries/check') return json(checkOf(script, JSON.parse(body).q));
    if (path === '/tables') return json({ tables: script.tables?.map((table_name) => ({ table_name })) ?? [] });
    if (path === '/queries/7/events') return events(answer);
    if (path === '/queries/7/cancel') {
      for (const one of open) one.end(messageOf({ is_finished: true, is_cancelled: true, error_code: 93001 }, 99));
      return json({});
    }
    if (path === '/cursors/7' && method === 'DELETE') return json({ status: 'ok' });
    if (path === '/cursors/7') return void answer.end(script.rows?.(searchParams) ?? '');
    return json({ error_code: 'not-found', error_msg: path }, 404);
  });
  const url = await listening(server);
  return {
    url,
    heard,
    calls: () => heard.map(({ method, path }) => `${method} ${path}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function checkOf(
  { mistakes = [], queryErrorsOf = () => mistakes, columns = [], replacement }: Script,
  text: string,
): object {
  return {
    mistakes: queryErrorsOf(text),
    replacement: replacement ?? null,
    columns: columns.map((name) => ({ name, type: 'any' })),
  };
}

const messageOf = (status: StandInStatus, stamp: number): string =>
  `event: status\nid: ${stamp}\ndata: ${JSON.stringify({
    rows: 0,
    elapsed: 1234,
    is_finished: false,
    is_cancelled: false,
    commands: [],
    sub_queries: [],
    ...status,
  })}\n\n`;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
