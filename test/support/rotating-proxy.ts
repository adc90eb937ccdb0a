// A balancer without any memory: each request goes to another node than the one before, whatever it is about. Bodies and answers
// are streams; an answer that breaks off breaks off here, too.

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface RotatingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many requests each target has got. */
  readonly counts: readonly number[];
}

export async function startRotatingProxy(targets: readonly string[]): Promise<RotatingProxy> {
  // A connection for each request: one that the node has just closed, because the clock of a suite leapt, is never used again.
  const agent = new Agent({ keepAlive: false });
  const counts = targets.map(() => 0);
  let next = 0;
  const server = createServer({ maxHeaderSize: 1024 * 1024, requireHostHeader: false }, (near, answer) => {
    const at = next % targets.length;
    next += 1;
    counts[at] = (counts[at] ?? 0) + 1;
    pass(near, answer, { agent, target: targets[at] ?? '' });
  });
  server.on('checkExpectation', (near, answer) => server.emit('request', near, answer));
  server.requestTimeout = 0;
  const url = await listening(server);
  return {
    url,
    counts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

function pass(
  near: IncomingMessage,
  answer: ServerResponse,
  { agent, target }: { agent: Agent; target: string },
): void {
  const { hostname, port } = new URL(target);
  const far = request({ hostname, port, agent, method: near.method, path: near.url, headers: headersOf(near) });
  far.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
    answer.flushHeaders();
    response.on('error', () => answer.destroy());
    response.on('close', () => {
      if (!response.complete) answer.destroy();
    });
    response.pipe(answer);
  });
  far.on('error', () => {
    if (!answer.headersSent) answer.destroy();
  });
  answer.on('close', () => {
    if (!answer.writableFinished) far.destroy();
  });
  near.on('error', () => far.destroy());
  near.pipe(far);
}

/** As they were sent; names that come twice stay so. */
function headersOf({ rawHeaders }: IncomingMessage): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!['connection', 'keep-alive'].includes(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
