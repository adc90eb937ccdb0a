// A way to a ClickHouse server that shows what statements it is sent, and holds or denies some of them.

import { createServer, request, type Server } from 'node:http';
import { listening } from './listening.ts';

export interface SentStatement {
  /** From the query, or from the body. */
  readonly text: string;
  readonly settings: URLSearchParams;
}

export interface StatementProxy extends AsyncDisposable {
  readonly origin: string;
  readonly sent: readonly SentStatement[];
  /** Statements that fit are held from now on, and passed on by `release`. */
  hold(pattern: RegExp): void;
  /** Statements that fit are answered as to an account without the right to them. */
  deny(pattern: RegExp): void;
  release(): void;
  /** Statements are passed on changed from now on. */
  change(how: (text: string) => string): void;
}

export async function startStatementProxy(target: string): Promise<StatementProxy> {
  const sent: SentStatement[] = [];
  let held: RegExp | undefined;
  let denied: RegExp | undefined;
  let changed = (text: string) => text;
  let released = Promise.withResolvers<void>();
  const { hostname, port } = new URL(target);
  const server: Server = createServer(async (asked, answer) => {
    const pieces: Buffer[] = [];
    for await (const piece of asked) pieces.push(piece);
    const given = Buffer.concat(pieces);
    const { pathname, searchParams: settings } = new URL(asked.url ?? '/', target);
    const text = settings.get('query') ?? given.toString('utf8');
    if (pathname === '/') sent.push({ text, settings });
    if (held?.test(text)) await released.promise;
    if (denied?.test(text)) {
      answer.writeHead(403, { 'x-clickhouse-exception-code': '497' });
      answer.end('Code: 497. DB::Exception: Not enough privileges. (ACCESS_DENIED)');
      return;
    }
    const body = settings.has('query') ? given : Buffer.from(changed(text));
    const headers = { ...asked.headers, ...(asked.method === 'POST' ? { 'content-length': body.length } : {}) };
    const passing = request({ host: hostname, port, path: asked.url, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    passing.on('error', () => answer.destroy());
    answer.on('close', () => passing.destroy());
    passing.end(body);
  });
  const origin = await listening(server);
  return {
    origin,
    sent,
    hold(pattern) {
      held = pattern;
      released = Promise.withResolvers();
    },
    deny(pattern) {
      denied = pattern;
    },
    release() {
      held = undefined;
      released.resolve();
    },
    change(how) {
      changed = how;
    },
    async [Symbol.asyncDispose]() {
      released.resolve();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
