// The open connections of a node, on all of its ports. At a limit the oldest silent connection is closed in place of the new one,
// so that clients which connect and send nothing lock nobody out.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type AddressSet, plainAddress } from '#kernel/net/address.ts';
import { connectionKey } from '#kernel/net/connection-key.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { Periodic } from '#runtime/periodic.ts';
import { type ClientState, Connection } from './connection.ts';
import { boundPendingHeads } from './pending-heads.ts';

/** Part of all connections that one address may have open without credentials. */
const ADDRESS_SHARE = 0.1;
/** From the accepted connection to the first byte of a request, the handshake of TLS included. */
const MAX_SILENCE_MS = 10_000;
const SWEEP_PERIOD = Temporal.Duration.from({ seconds: 1 });

export interface ConnectionsOptions {
  /** The setting `connections`. */
  readonly max: number;
  readonly trustedProxies: AddressSet;
  readonly clock: Clock;
  readonly observer: ConnectionObserver;
}

export interface ConnectionObserver {
  connected(): void;
  disconnected(): void;
  /** A connection was closed by the service. */
  connectionClosed(reason: CloseReason): void;
}

export type CloseReason = 'limit' | 'address-limit' | 'no-request' | 'pending-heads';

/** Connections of one address without credentials. */
interface AddressShare {
  count: number;
  /** Oldest first. */
  readonly silent: Set<Connection>;
}

export class Connections implements Disposable {
  readonly #options: ConnectionsOptions;
  readonly #maxOfAddress: number;
  readonly #open = new Set<Connection>();
  /** Oldest first. */
  readonly #silent = new Set<Connection>();
  /** Connections on which no byte of a request has been seen, oldest first. */
  readonly #notBegun = new Set<Connection>();
  readonly #shares = new Map<string, AddressShare>();
  /** By the socket that requests arrive on. */
  readonly #byRequestSocket = new WeakMap<Socket, Connection>();
  readonly #timers: readonly Disposable[];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#maxOfAddress = Math.max(1, Math.floor(options.max * ADDRESS_SHARE));
    const { clock } = options;
    this.#timers = [
      new Periodic({ clock, period: SWEEP_PERIOD, work: () => this.#closeNotBegun() }),
      boundPendingHeads(this.#open, { clock, close: (connection) => this.#close(connection, 'pending-heads') }),
    ];
  }

  /** Watches the connections of a server before it listens. */
  watch(server: Server, { isTls }: { readonly isTls: boolean }): void {
    const handshakes = new Map<string, Connection>();
    server.on('connection', (socket: Socket) => {
      const connection = this.#add(socket);
      if (connection && isTls) untilClosed(handshakes, socket, connection);
      else if (connection) this.#openFor(socket, connection);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = handshakes.get(connectionKey(socket));
      // Without one, the client has disconnected already.
      if (connection) this.#openFor(socket, connection);
      else socket.destroy();
    });
    server.on('request', (request, response) => {
      const connection = this.#byRequestSocket.get(request.socket);
      connection?.addRequest(request, response);
      response.on('close', () => {
        if (connection && response.writableFinished) this.#setClient(connection, 'answered');
      });
    });
  }

  /** Call when the credentials of a request were accepted; `socket` is that of the request. */
  credentialsAccepted(socket: Socket): void {
    const connection = this.#byRequestSocket.get(socket);
    if (connection) this.#setClient(connection, 'known');
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) timer[Symbol.dispose]();
  }

  /** Undefined for a connection that was closed at once. */
  #add(socket: Socket): Connection | undefined {
    const { clock, observer } = this.#options;
    const address = plainAddress(socket.remoteAddress ?? '');
    const connection = new Connection(socket, { address, acceptedMs: clock.nowMs() });
    observer.connected();
    socket.once('close', () => {
      observer.disconnected();
      this.#remove(connection);
    });
    if (!this.#makeRoom(connection)) return undefined;
    this.#open.add(connection);
    this.#silent.add(connection);
    this.#notBegun.add(connection);
    this.#enterShare(connection);
    return connection;
  }

  /** Closes another connection if there are too many; false if the new one was closed. */
  #makeRoom(added: Connection): boolean {
    const share = this.#shares.get(added.address);
    const isAddressFull = share !== undefined && share.count >= this.#maxOfAddress;
    if (!isAddressFull && this.#open.size < this.#options.max) return true;
    const [oldest] = isAddressFull ? share.silent : this.#silent;
    this.#close(oldest ?? added, isAddressFull ? 'address-limit' : 'limit');
    return oldest !== undefined;
  }

  #openFor(requestSocket: Socket, connection: Connection): void {
    this.#byRequestSocket.set(requestSocket, connection);
    connection.openFor(requestSocket);
  }

  #setClient(connection: Connection, client: ClientState): void {
    const before = connection.client;
    if (!this.#open.has(connection) || before === 'known' || before === client) return;
    connection.client = client;
    this.#silent.delete(connection);
    this.#shares.get(connection.address)?.silent.delete(connection);
    if (client === 'known') this.#leaveShare(connection.address);
  }

  #close(connection: Connection, reason: CloseReason): void {
    this.#options.observer.connectionClosed(reason);
    // At once: the event of the socket comes later, and the next connection may be there before it.
    this.#remove(connection);
    connection.close();
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#silent.delete(connection);
    this.#notBegun.delete(connection);
    this.#shares.get(connection.address)?.silent.delete(connection);
    if (connection.client !== 'known') this.#leaveShare(connection.address);
  }

  #enterShare(connection: Connection): void {
    const { address } = connection;
    // The connections of a proxy are those of many clients.
    if (this.#options.trustedProxies.has(address)) return;
    const share = this.#shares.get(address) ?? { count: 0, silent: new Set() };
    this.#shares.set(address, share);
    share.count += 1;
    share.silent.add(connection);
  }

  #leaveShare(address: string): void {
    const share = this.#shares.get(address);
    if (!share) return;
    share.count -= 1;
    if (share.count === 0) this.#shares.delete(address);
  }

  async #closeNotBegun(): Promise<void> {
    const late = this.#lateConnections();
    if (late.length === 0) return;
    // Bytes that arrived while the event loop was busy have not been read yet.
    await yieldToEventLoop();
    for (const connection of late) {
      if (this.#open.has(connection) && !connection.hasBegun) this.#close(connection, 'no-request');
    }
  }

  #lateConnections(): readonly Connection[] {
    const acceptedBefore = this.#options.clock.nowMs() - MAX_SILENCE_MS;
    const late: Connection[] = [];
    for (const connection of this.#notBegun) {
      if (connection.hasBegun) this.#notBegun.delete(connection);
      else if (connection.acceptedMs > acceptedBefore) break;
      else late.push(connection);
    }
    return late;
  }
}

function untilClosed(handshakes: Map<string, Connection>, socket: Socket, connection: Connection): void {
  const key = connectionKey(socket);
  handshakes.set(key, connection);
  socket.once('close', () => {
    if (handshakes.get(key) === connection) handshakes.delete(key);
  });
}
