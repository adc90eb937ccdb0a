// A connection that can be relied upon to break: a proxy between a client and a service.

import { connect, createServer, type Server, type Socket } from 'node:net';
import { listening } from './listening.ts';

export interface BreakingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many connections it has broken. */
  broken(): number;
  /** Lets everything through from now on. */
  release(): void;
  /** Breaks the connection in place of the first answer to a request that has this text in it. */
  swallow(text: string): void;
  /** Answers the first request that has this text in it by itself. */
  answerOnce(text: string, status: string, body: object): void;
  /** Does something before it passes on the first request that has this text in it. */
  beforePassing(text: string, work: () => void): void;
}

/** Stands between: breaks every connection after so many bytes, or stops passing on bytes after so many. */
export async function startProxy(
  target: string,
  breaksAfter: number,
  stopsAfter = Number.POSITIVE_INFINITY,
): Promise<BreakingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = { broken: 0, passed: 0, isReleased: false, swallowed: '' };
  const special: { text: string; work(near: Socket): boolean }[] = [];
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    let bytes = 0;
    let isSwallowing = false;
    near.on('data', (chunk) => {
      bytes += chunk.length;
      state.passed += chunk.length;
      const at = special.findIndex(({ text }) => chunk.includes(text));
      const [meant] = at === -1 ? [] : special.splice(at, 1);
      if (meant?.work(near)) return;
      if (state.swallowed !== '' && chunk.includes(state.swallowed)) isSwallowing = true;
      far.write(chunk);
      if (bytes > breaksAfter) {
        state.broken += 1;
        near.destroy();
      }
      if (state.passed > stopsAfter && !state.isReleased) near.pause();
    });
    far.on('data', (chunk) => {
      if (!isSwallowing) return void near.write(chunk);
      state.swallowed = '';
      state.broken += 1;
      near.destroy();
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const url = await listening(server);
  return {
    url,
    broken: () => state.broken,
    release() {
      state.isReleased = true;
    },
    swallow(text) {
      state.swallowed = text;
    },
    answerOnce(text, status, body) {
      const json = JSON.stringify(body);
      const work = (near: Socket) => {
        state.broken += 1;
        near.end(`${status}\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`);
        return true;
      };
      special.push({ text, work });
    },
    beforePassing(text, work) {
      const passing = () => {
        work();
        return false;
      };
      special.push({ text, work: passing });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
