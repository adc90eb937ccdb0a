// An address that stays while the service behind it is killed and started again.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** One address for the service, whichever port its process has; it may keep answers for itself. */
export class Forwarder {
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
