// A webhook of a test: keeps what it is told, and answers as the test wants.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { listening } from './listening.ts';

export interface Told {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class Webhook {
  readonly told: Told[] = [];
  /** Of the next answers; undefined lets the caller wait in vain. */
  status: number | undefined = 200;
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(): Promise<Webhook> {
    const server = createServer();
    const webhook = new Webhook(server, await listening(server));
    server.on('request', async (request, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      webhook.told.push({ path: request.url ?? '', headers: request.headers, body });
      if (webhook.status === undefined) return;
      answer.writeHead(webhook.status, { location: `${webhook.url}/elsewhere` }).end('thanks');
    });
    return webhook;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** As the published header has it. */
export const signature = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
