// A way to a ClickHouse server that shows what statements it is sent, and holds some of them.

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
  release(): void;
}

export async function startStatementProxy(target: string): Promise<StatementProxy> {
  const sent: SentStatement[] = [];
  let held: RegExp | undefined;
  let released = Promise.withResolvers<void>();
  const { hostname, port } = new URL(target);
  const server: Server = createServer(async (asked, answer) => {
    const pieces: Buffer[] = [];
    for await (const piece of asked) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const { pathname, searchParams: settings } = new URL(asked.url ?? '/', target);
    const text = settings.get('query') ?? body.toString('utf8');
    if (pathname === '/') sent.push({ text, settings });
    if (held?.test(text)) await released.promise;
    const passing = request(
      { host: hostname, port, path: asked.url, method: asked.method, headers: asked.headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      },
    );
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
    release() {
      held = undefined;
      released.resolve();
    },
    async [Symbol.asyncDispose]() {
      released.resolve();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
