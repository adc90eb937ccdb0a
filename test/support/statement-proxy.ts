// A way to a ClickHouse server that shows what statements it is sent, holds some of them, and may be closed like a host that is gone.

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
  /** Statements that fit are carried out, and their answers never come: the connection breaks. */
  swallow(pattern: RegExp): void;
  /** Connections are refused, those that there are break. */
  close(): Promise<void>;
  /** On the port of before. */
  open(): Promise<void>;
}

export async function startStatementProxy(target: string): Promise<StatementProxy> {
  const sent: SentStatement[] = [];
  let held: RegExp | undefined;
  let swallowed: RegExp | undefined;
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
        if (swallowed?.test(text)) return void got.resume().on('end', () => answer.destroy());
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      },
    );
    passing.on('error', () => answer.destroy());
    answer.on('close', () => passing.destroy());
    passing.end(body);
  });
  const origin = await listening(server);
  const close = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
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
    swallow(pattern) {
      swallowed = pattern;
    },
    close,
    open: () =>
      new Promise((resolve) => void server.listen(Number(new URL(origin).port), '127.0.0.1', () => resolve())),
    async [Symbol.asyncDispose]() {
      released.resolve();
      await close();
    },
  };
}
