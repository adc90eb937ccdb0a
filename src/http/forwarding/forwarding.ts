// Passes requests for a query or an upload on to the node that owns it, and lists over all nodes to each of them. The node that was
// asked checks who calls and how often; rights, parameters, state and audit entry are the owner's. Nothing is passed on twice.

import { hash, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { NamedAccount } from '#access/accounts.ts';
import { publicKeyOf } from '#audit/chain/checkpoint.ts';
import type { NodeView } from '#cluster/membership.ts';
import { type ApiError, nodeUnreachable, noSuchQuery } from '#contract/errors.ts';
import { newGuid } from '#kernel/guid.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import { NODE_QUERIES, NODE_QUERY_TYPE, type OtherAnswers, type OwnedKind } from '#operations/between-nodes.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import type { KnownNodes } from './known-nodes.ts';
import { type ListAnswer, listAnswer } from './list-answer.ts';
import { type NodeClient, NodeSilent } from './node-client.ts';
import { FORWARDED_HEADER, type Forwarded, readHeader, VALID_MS } from './signed-header.ts';
import { announcesBody, type ReceivedRequest, type SentHeaders, signedHeaders } from './signed-request.ts';
import { UsedNonces } from './used-nonces.ts';

/** For the whole answer of a node to a list over all nodes. */
const LIST_TIMEOUT = Temporal.Duration.from({ seconds: 5 });
/** Age of the rows of nodes by which a request is refused: a node that has just started or left is not right in older ones. */
const FRESH_MS = 100;
/** Characters of a head that is signed before it is known who asks. */
const MAX_SIGNED_AHEAD = 16_384;
/** Age of a signature with which a request is still sent: an account may have taken long to be read. */
const AHEAD_MS = 5000;

export type PassOutcome = 'answered' | 'unreachable' | 'gone';

/** What a query of this node asks of others. */
interface NodeQuestion {
  readonly account: NamedAccount;
  /** Address of the caller. */
  readonly remoteIp: string;
}

interface QueriesQuestion extends NodeQuestion {
  /** The query string of the page. */
  readonly search: URLSearchParams;
}

/** A query that another node is to run. */
export interface NodeQuery extends NodeQuestion {
  readonly body: string;
}

export interface Owner {
  readonly name: string;
  readonly kind: OwnedKind;
  /** Of the owned object, as it stands in the path. */
  readonly id: string;
  /** The headers of the request to it, where they were signed ahead. */
  readonly signed?: { readonly headers: SentHeaders; readonly at: number } | undefined;
}

interface Sending {
  /** Of the first attempt, where they were signed already. */
  readonly headers?: SentHeaders | undefined;
  readonly body: Readable | undefined;
  /** Aborted when nobody waits for the answer any longer. */
  readonly gone: AbortSignal;
}

export interface ForwardingDeps {
  readonly self: string;
  /** Signs for this node. */
  readonly key: KeyObject;
  readonly nodes: KnownNodes;
  readonly client: NodeClient;
  readonly clock: Clock;
  /** The node that owns an object, by its id in a path; undefined where there is none. */
  readonly owners: Readonly<Record<OwnedKind, (id: string) => Promise<string | undefined>>>;
  passed(node: string, outcome: PassOutcome, error?: NodeSilent): void;
}

export class Forwarding {
  readonly #deps: ForwardingDeps;
  readonly #nonces = new UsedNonces();
  /** Made once for each reading of the nodes. */
  readonly #keys = new WeakMap<NodeView, KeyObject>();

  constructor(deps: ForwardingDeps) {
    this.#deps = deps;
  }

  close(): void {
    this.#deps.client[Symbol.dispose]();
  }

  /** What the node says that has passed the request on; undefined for a header that no node has made for it. */
  async verify({ method, url, headers }: Pick<ReceivedRequest, 'method' | 'url' | 'headers'>) {
    const { nodes, self } = this.#deps;
    const read = readHeader(String(headers[FORWARDED_HEADER]));
    if (!read) return undefined;
    const signerOf = async (maxAgeMs?: number) => {
      const node = await nodes.find(read.node, maxAgeMs);
      const key = node && this.#keyOf(node);
      return key && read.isSignedBy(key, { method, url, headers, target: self }) ? node : undefined;
    };
    const known = await signerOf();
    const signer = known?.state === 'alive' ? known : await signerOf(FRESH_MS);
    if (!signer) return undefined;
    const now = await nodes.nowMs();
    // It stood still for longer than its lease, or between signing and sending: its client did nothing wrong.
    if (signer.state !== 'alive' || Math.abs(now - read.time) >= VALID_MS) throw nodeUnreachable(self);
    const { node, address, requestId, isTls, account } = read;
    const isFirst = this.#nonces.use(read.nonce, read.time, now);
    const told: Forwarded = { node, address, requestId, isTls, ...(account ? { account } : {}) };
    return isFirst ? told : undefined;
  }

  #keyOf(node: NodeView): KeyObject | undefined {
    const key = this.#keys.get(node) ?? (node.publicKey === null ? undefined : publicKeyOf(node.publicKey));
    if (key) this.#keys.set(node, key);
    return key;
  }

  /**
   * The other node that owns the object of a call; undefined where the call is to be answered here. The request to it is signed at once,
   * for this to take no time of its own while the account is being read.
   */
  async ownerOf(
    { ownedBy: kind }: AnyEndpoint,
    path: Readonly<Record<string, string>>,
    request: ReceivedRequest,
  ): Promise<Owner | undefined> {
    const [id] = Object.values(path);
    if (!kind || id === undefined) return undefined;
    // The account of the request, which takes longer, is asked for first.
    await yieldToEventLoop();
    const name = await this.#deps.owners[kind](id);
    if (name === undefined || name === this.#deps.self) return undefined;
    // Nobody knows yet who asks: a long head is signed when that is known.
    if (headLength(request) > MAX_SIGNED_AHEAD) return { name, kind, id };
    const headers = await this.#sign(name, request, announcesBody(request.headers));
    return { name, kind, id, signed: { headers, at: this.#deps.clock.nowMs() } };
  }

  /** The answer of the owner. Throws the refusal of the contract where the owner is gone or silent. */
  async pass(request: ReceivedRequest, owner: Owner, { body, gone }: Sending) {
    const { nodes, passed, clock } = this.#deps;
    const known = await nodes.find(owner.name);
    // It may have come back since its row was read.
    const node = isThere(known) ? known : await nodes.find(owner.name, FRESH_MS);
    if (!isThere(node)) throw this.#refusalOf(owner);
    try {
      const isFresh = owner.signed !== undefined && clock.nowMs() - owner.signed.at < AHEAD_MS;
      const answer = await this.#send(node, request, {
        body,
        gone,
        headers: isFresh ? owner.signed?.headers : undefined,
      });
      passed(owner.name, 'answered');
      return answer;
    } catch (cause) {
      if (!(cause instanceof NodeSilent)) throw cause;
      if (gone.aborted) throw nodeUnreachable(owner.name);
      // It may have left since its row was read.
      if (!isThere(await nodes.find(owner.name, FRESH_MS))) throw this.#refusalOf(owner);
      passed(owner.name, 'unreachable', cause);
      throw Object.assign(nodeUnreachable(owner.name), { cause });
    }
  }

  /** For an object whose owner is gone: the bytes of an upload come back with it, a query does not. */
  #refusalOf({ name, kind, id }: Owner): ApiError {
    this.#deps.passed(name, 'gone');
    return kind === 'query' ? noSuchQuery(Number(id), name) : nodeUnreachable(name);
  }

  /** Asks all other living nodes at once. */
  async askOthers(request: ReceivedRequest, gone: AbortSignal): Promise<OtherAnswers> {
    const others = await this.others();
    const asked = await Promise.all(others.map((node) => this.#ask(node, request, gone)));
    const values = asked.map((answer) => answer?.value);
    return {
      answers: values.filter((value) => value !== undefined),
      unanswered: others.filter((_, index) => values[index] === undefined).map(({ name }) => name),
    };
  }

  /** Those that live. */
  async others(): Promise<readonly NodeView[]> {
    return (await this.#deps.nodes.all()).filter(({ state, isSelf }) => state === 'alive' && !isSelf);
  }

  /** A page of the queries of a node that an account may see; undefined where the node does not answer. */
  async queriesOf(node: NodeView, { search, ...question }: QueriesQuestion, gone: AbortSignal) {
    return await this.#ask(node, { ...questionOf(question), url: `${NODE_QUERIES}?${search}` }, gone);
  }

  async #ask(node: NodeView, request: ReceivedRequest, gone: AbortSignal): Promise<ListAnswer | undefined> {
    const over = new AbortController();
    let silent: NodeSilent | undefined;
    const asking = this.#send(node, request, { body: undefined, gone: AbortSignal.any([gone, over.signal]) })
      .then(listAnswer)
      .catch((error) => {
        silent = error instanceof NodeSilent ? error : undefined;
        return undefined;
      });
    const answer = await withTimeout(this.#deps.clock, LIST_TIMEOUT, asking, undefined);
    over.abort();
    if (answer || !gone.aborted) this.#deps.passed(node.name, answer ? 'answered' : 'unreachable', silent);
    return answer;
  }

  /** The answer of a node to a query of this one; undefined where it cannot be reached. */
  async runOn(name: string, query: NodeQuery, gone: AbortSignal): Promise<IncomingMessage | undefined> {
    const { nodes, passed } = this.#deps;
    const known = await nodes.find(name);
    // The plan of the query has seen a node that has just started.
    const node = known?.state === 'alive' ? known : await nodes.find(name, 0);
    // One that is not known is no value for a label.
    if (node && node.state !== 'alive') passed(name, 'gone');
    if (node?.state !== 'alive') return undefined;
    try {
      const how = { body: Readable.from([query.body]), gone, isAlone: true };
      const answer = await this.#sendOnce(node, queryRequest(query), how);
      passed(name, 'answered');
      return answer;
    } catch (cause) {
      if (!(cause instanceof NodeSilent)) throw cause;
      if (!gone.aborted) passed(name, 'unreachable', cause);
      return undefined;
    }
  }

  /** Once more where the connection was closed by the node: signed anew, as it may have read the first. */
  async #send(node: NodeView, request: ReceivedRequest, how: Sending): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(node, request, how);
    } catch (cause) {
      if (!(cause instanceof NodeSilent && cause.isStale)) throw cause;
      return await this.#sendOnce(node, request, { ...how, headers: undefined, isAlone: true });
    }
  }

  async #sendOnce(
    { name, address }: NodeView,
    request: ReceivedRequest,
    { body, gone, headers, isAlone = false }: Sending & { isAlone?: boolean },
  ): Promise<IncomingMessage> {
    // Without `advertise` a node shows where it listens, which is no address for keys to be sent to.
    if (address === null || !/^https?:\/\//.test(address)) throw new NodeSilent(new Error('it advertises no URL'));
    const signed = headers ?? (await this.#sign(name, request, body !== undefined));
    const { method, url } = request;
    return await this.#deps.client.send(address, { method, url, headers: signed, body, gone, isAlone });
  }

  async #sign(target: string, request: ReceivedRequest, hasBody: boolean): Promise<SentHeaders> {
    const { nodes, key, self } = this.#deps;
    return signedHeaders(request, { target, hasBody }, { self, key, time: await nodes.nowMs() });
  }
}

const questionOf = ({ account, remoteIp }: NodeQuestion, body = ''): ReceivedRequest => ({
  id: newGuid(),
  method: 'GET',
  url: NODE_QUERIES,
  headers: {},
  remoteIp,
  isTls: false,
  account: { ...account, body: hash('sha256', body, 'hex') },
});

const queryRequest = ({ body, ...question }: NodeQuery): ReceivedRequest => ({
  ...questionOf(question, body),
  method: 'POST',
  headers: { 'content-type': NODE_QUERY_TYPE, 'content-length': String(Buffer.byteLength(body)) },
});

const headLength = ({ url, headers }: ReceivedRequest): number =>
  url.length + String(headers.authorization ?? '').length + String(headers.cookie ?? '').length;

const isThere = (node: NodeView | undefined): node is NodeView => node !== undefined && node.state !== 'gone';
