// Stands between a client and a PostgreSQL server, reads along what is asked, and breaks the connection at a chosen question.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listening } from './listening.ts';

/**
 * unsent: the question does not reach the server, and both sides see the connection end.
 * unanswered: the server answers it, the answer is withheld, and both sides see the connection end.
 * forgotten: the same, but only the client sees it: the server's end stays open.
 * silent: the server never gets it, and nobody sees anything, as when a network has gone.
 * mute: the server answers it, the answer is withheld, and nobody sees anything.
 */
export const FAULTS = ['unsent', 'unanswered', 'forgotten', 'silent', 'mute'] as const;
export type Fault = (typeof FAULTS)[number];

export interface PostgresProxy extends AsyncDisposable {
  /** Of the database, through the proxy. */
  readonly url: string;
  /** How many connections were broken. */
  broken(): number;
  /** Breaks the connection of the next question that matches; resolves when it has. */
  breakAt(question: RegExp, fault: Fault): Promise<void>;
  /** Resolves when a question that matches is passed on. */
  passing(question: RegExp): Promise<void>;
  /** Does not wait any longer for what it was to break at. */
  disarm(): void;
  /** Ends all connections there are, on both sides. */
  breakAll(): void;
  /** Takes new connections, or ends them at once. */
  admit(isAdmitted: boolean): void;
  /** Passes nothing on any more, in no direction, and ends nothing: as when a network has gone. Or goes on. */
  freeze(isFrozen: boolean): void;
}

interface Look {
  readonly question: RegExp;
  seen(): void;
}

interface Trap {
  readonly question: RegExp;
  readonly fault: Fault;
  sprung(): void;
}

export async function startPostgresProxy(database: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(database);
  const pairs = new Set<Pair>();
  const state = { traps: [] as Trap[], looks: [] as Look[], broken: 0, isAdmitted: true, isFrozen: false };
  const trapFor = (question: string): Trap | undefined => {
    const at = state.traps.findIndex((trap) => trap.question.test(question));
    const [trap] = at === -1 ? [] : state.traps.splice(at, 1);
    if (trap) state.broken += 1;
    const seen = state.looks.filter((look) => look.question.test(question));
    state.looks = state.looks.filter((look) => !seen.includes(look));
    for (const look of seen) look.seen();
    return trap;
  };
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (!state.isAdmitted) return void near.destroy();
    const pair: Pair = new Pair(near, connect(Number(port), hostname), { trapFor, gone: () => pairs.delete(pair) });
    pairs.add(pair);
    pair.freeze(state.isFrozen);
  });
  const url = new URL(database);
  url.host = new URL(await listening(server)).host;
  return {
    url: url.href,
    broken: () => state.broken,
    breakAt(question, fault) {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.traps.push({ question, fault, sprung: resolve });
      return promise;
    },
    passing(question) {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.looks.push({ question, seen: resolve });
      return promise;
    },
    disarm() {
      state.traps = [];
    },
    breakAll() {
      for (const pair of pairs) pair.end();
    },
    admit(isAdmitted) {
      state.isAdmitted = isAdmitted;
    },
    freeze(isFrozen) {
      state.isFrozen = isFrozen;
      for (const pair of pairs) pair.freeze(isFrozen);
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) pair.end();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Watch {
  trapFor(question: string): Trap | undefined;
  gone(): void;
}

/** One connection, on both of its sides. */
class Pair {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #watch: Watch;
  /** The trap that the last question went into; from then on nothing is answered. */
  #trap: Trap | undefined;
  /** Questions that were passed on, and answers to them; several may be under way. */
  readonly #passed = { questions: 0, answers: 0 };

  constructor(near: Socket, far: Socket, watch: Watch) {
    this.#near = near;
    this.#far = far;
    this.#watch = watch;
    far.on('error', () => undefined);
    const questions = new Messages(true);
    const answers = new Messages(false);
    near.on('data', (chunk: Buffer) => {
      for (const message of questions.take(chunk)) this.#ask(message);
    });
    far.on('data', (chunk: Buffer) => {
      for (const { type } of answers.take(chunk)) if (type === 'Z') this.#passed.answers += 1;
      if (!this.#trap) return void near.write(chunk);
      // The server has done all of it, and waits for the next question.
      if (this.#passed.answers >= this.#passed.questions) this.#spring(this.#trap);
    });
    near.on('close', () => {
      // The client may give up first.
      this.#trap?.sprung();
      // Otherwise no word of it reaches the server.
      if (!this.#trap || this.#trap.fault === 'unsent' || this.#trap.fault === 'unanswered') this.end();
    });
    far.on('close', () => {
      // Otherwise no word of it reaches the client.
      if (this.#trap?.fault !== 'silent' && this.#trap?.fault !== 'mute') this.end();
    });
  }

  freeze(isFrozen: boolean): void {
    for (const socket of [this.#near, this.#far]) isFrozen ? socket.pause() : socket.resume();
  }

  end(): void {
    this.#near.destroy();
    this.#far.destroy();
    this.#watch.gone();
  }

  #ask({ type, bytes, question }: Message): void {
    const isOver = this.#trap && ['unsent', 'silent'].includes(this.#trap.fault);
    if (isOver) return;
    if (question !== undefined && !this.#trap) this.#trap = this.#watch.trapFor(question);
    const trap = this.#trap;
    const isSent = !trap || ['unanswered', 'forgotten', 'mute'].includes(trap.fault);
    if (isSent) {
      // The first is that of the connection, answered too; each of the others ends with one of these.
      if (type === '' || type === 'Q' || type === 'S') this.#passed.questions += 1;
      this.#far.write(bytes);
      return;
    }
    trap.sprung();
    if (trap.fault === 'unsent') this.end();
  }

  #spring({ fault, sprung }: Trap): void {
    sprung();
    if (fault === 'unanswered') this.end();
    if (fault === 'forgotten') this.#near.destroy();
  }
}

interface Message {
  readonly type: string;
  readonly bytes: Buffer;
  /** The text of a statement. */
  readonly question: string | undefined;
}

/** Cuts what one side says into messages. The first of a client has no type. */
class Messages {
  #isFirst: boolean;
  #rest: Buffer = Buffer.alloc(0);

  constructor(isClient: boolean) {
    this.#isFirst = isClient;
  }

  *take(chunk: Buffer): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const at = this.#isFirst ? 0 : 1;
      if (this.#rest.length < at + 4) return;
      const length = at + this.#rest.readInt32BE(at);
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      const type = this.#isFirst ? '' : String.fromCharCode(bytes[0] ?? 0);
      this.#isFirst = false;
      yield { type, bytes, question: questionIn(type, bytes.subarray(5)) };
    }
  }
}

function questionIn(type: string, body: Buffer): string | undefined {
  if (type === 'Q') return body.toString('utf8', 0, body.length - 1);
  if (type !== 'P') return undefined;
  // The name of the statement comes before its text.
  const from = body.indexOf(0) + 1;
  return body.toString('utf8', from, body.indexOf(0, from));
}
