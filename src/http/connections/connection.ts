// One open connection: what has arrived on it, and how far its client is known. Under TLS it has two sockets: the accepted one,
// which is counted and closed, and the one that requests arrive on, which exists once the handshake is finished.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** `silent`: no finished request and no accepted credentials. `answered`: a finished request. `known`: accepted credentials. */
export type ClientState = 'silent' | 'answered' | 'known';

export class Connection {
  readonly #accepted: Socket;
  /** Of the peer, in its canonical form. */
  readonly address: string;
  readonly acceptedMs: number;
  client: ClientState = 'silent';
  #requestSocket: Socket | undefined;
  #openRequests = 0;
  /** Bytes that belong to requests which are over. */
  #readBytes = 0;

  constructor(accepted: Socket, { address, acceptedMs }: { readonly address: string; readonly acceptedMs: number }) {
    this.#accepted = accepted;
    this.address = address;
    this.acceptedMs = acceptedMs;
  }

  /** Whether the first byte of a request has arrived. */
  get hasBegun(): boolean {
    return this.#arrivedBytes > 0;
  }

  /** Bytes of a request whose headers are incomplete. */
  get pendingHeadBytes(): number {
    return this.#openRequests > 0 ? 0 : this.#arrivedBytes - this.#readBytes;
  }

  /** Call once requests can arrive. */
  openFor(requestSocket: Socket): void {
    this.#requestSocket = requestSocket;
  }

  /** Counts a request until it is answered and all of its body has arrived: a refused body still arrives after the answer. */
  addRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#openRequests += 1;
    const end = () => {
      this.#openRequests -= 1;
      this.#readBytes = this.#arrivedBytes;
    };
    // A response closes once, so the listener need not remove itself.
    response.on('close', () => {
      if (request.complete) end();
      else request.once('end', end);
    });
  }

  close(): void {
    this.#accepted.destroy();
  }

  get #arrivedBytes(): number {
    return this.#requestSocket?.bytesRead ?? 0;
  }
}
