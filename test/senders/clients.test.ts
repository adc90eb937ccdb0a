// Clients of others against the service as a process: what a library was told is taken is there after kill -9, and once where
// its protocol carries an id. Answers get lost and the service is away for a while; the libraries repeat by themselves.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { callerOf, makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { clientsOf } from './clients.ts';

const TIMEOUT_MS = 120_000;
const SENDERS = {
  VIGIL_MASTER_KEY: MASTER_KEY,
  VIGIL_SENDERS: 'otlp,elasticsearch,splunk,loki',
  VIGIL_SENDERS_TABLE: 'inbox',
};

/** One address for the service, whichever port its process has; it may keep answers for itself. */
class Forwarder {
  #port = 0;
  #lost = new Set<string>();
  readonly #server: Server = createServer((near) => this.#forward(near));

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  to(url: string): void {
    this.#port = Number(new URL(url).port);
  }

  /** Breaks the connection in place of the first answer to a request with this text. */
  loseAnswer(text: string): void {
    this.#lost.add(text);
  }

  close(): void {
    this.#server.close();
  }

  #forward(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    let isLost = false;
    near.on('data', (chunk) => {
      const text = [...this.#lost].find((one) => chunk.includes(one));
      isLost ||= text !== undefined && this.#lost.delete(text);
      far.write(chunk);
    });
    far.on('data', (chunk) => (isLost ? near.destroy() : near.write(chunk)));
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
  }
}

it(
  'Every acknowledged record of a client is there, whatever happens to the service and to its answers',
  async () => {
    const home = makeHome();
    const forwarder = new Forwarder();
    onTestFinished(() => {
      forwarder.close();
      home[Symbol.dispose]();
    });
    let running: VigilProcess | undefined;
    const start = async () => {
      running = home.serve(SENDERS);
      const url = await running.ready();
      forwarder.to(url);
      return callerOf(url);
    };
    const kill = async () => {
      running?.child.kill('SIGKILL');
      await running?.exited();
    };
    const first = await start();
    await first.call('POST', '/api/core/tables', { form: { table: 'inbox' } });
    const clients = clientsOf(await forwarder.listen());
    const retrying = clients.filter(({ isRetrying }) => isRetrying);
    const line = (client: string, phase: string) => `${client.replaceAll(' ', '-')}-${phase}`;

    await Promise.all(clients.map(({ name, send }) => send(line(name, 'first'))));
    for (const path of ['_bulk', '/v1/logs', '/services/collector']) forwarder.loseAnswer(path);
    await Promise.all(retrying.map(({ name, send }) => send(line(name, 'repeated'))));
    await expect
      .poll(async () => (await rowsOf(first, 'table inbox')).length)
      .toBeGreaterThanOrEqual(2 * clients.length - 1);
    await kill();
    const sending = Promise.all(retrying.map(({ name, send }) => send(line(name, 'delayed'))));
    await start();
    await sending;
    await kill();
    const rows = await rowsOf(await start(), 'table inbox');
    for (const { name, isOnce, isRetrying } of clients) {
      for (const phase of isRetrying ? ['first', 'repeated', 'delayed'] : ['first']) {
        const found = rows.filter((row) => JSON.stringify(row).includes(line(name, phase))).length;
        expect([name, phase, isOnce ? found : Math.min(found, 1)]).toEqual([name, phase, 1]);
      }
    }
  },
  TIMEOUT_MS,
);
