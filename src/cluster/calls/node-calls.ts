// Signed calls between nodes, the only way in which one node asks another for something: a request carries what its node says of it
// under the signature of that node (signed-header.ts), and is taken once. What travels so is decided by others: forwarded requests
// of clients (http/forwarding/), lists over all nodes, and queries of nodes (queries/remote/).

import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { NodeView } from '#cluster/members/membership.ts';
import { nodeUnreachable } from '#contract/errors.ts';
import { publicKeyOf } from '#kernel/public-key.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { KnownNodes } from './known-nodes.ts';
import { type ListAnswer, listAnswer } from './list-answer.ts';
import { type NodeClient, NodeSilent } from './node-client.ts';
import { FORWARDED_HEADER, type Forwarded, readHeader, VALID_MS } from './signed-header.ts';
import { type ReceivedRequest, type SentHeaders, signedHeaders } from './signed-request.ts';
import { UsedNonces } from './used-nonces.ts';

/** For the whole answer of a node to a list over all nodes. */
const LIST_TIMEOUT = Temporal.Duration.from({ seconds: 5 });
/** Age of the rows of nodes by which a request is refused: a node that has just started or left is not right in older ones. */
export const FRESH_MS = 100;

export type CallOutcome = 'answered' | 'unreachable' | 'gone';

export interface Sending {
  /** Of the first attempt, where they were signed already. */
  readonly headers?: SentHeaders | undefined;
  readonly body: Readable | undefined;
  /** Aborted when nobody waits for the answer any longer. */
  readonly gone: AbortSignal;
}

/** The answers of other nodes to a list. */
export interface OtherAnswers {
  readonly answers: readonly unknown[];
  /** Names of the nodes that did not answer, or refused to. */
  readonly unanswered: readonly string[];
}

export interface NodeCallsDeps {
  readonly self: string;
  /** Signs for this node. */
  readonly key: KeyObject;
  readonly nodes: KnownNodes;
  readonly client: NodeClient;
  readonly clock: Clock;
  /** Called with the outcome of each call. */
  called(node: string, outcome: CallOutcome, error?: NodeSilent): void;
}

export class NodeCalls implements Disposable {
  readonly self: string;
  /** The nodes as they were read a moment ago. */
  readonly nodes: KnownNodes;
  /** Reports the outcome of a call. */
  readonly called: NodeCallsDeps['called'];
  readonly #deps: NodeCallsDeps;
  readonly #nonces = new UsedNonces();
  /** Made once for each reading of the nodes. */
  readonly #keys = new WeakMap<NodeView, KeyObject>();

  constructor(deps: NodeCallsDeps) {
    this.#deps = deps;
    this.self = deps.self;
    this.nodes = deps.nodes;
    this.called = (...outcome) => deps.called(...outcome);
  }

  [Symbol.dispose](): void {
    this.#deps.client[Symbol.dispose]();
  }

  /** What the node that has sent a request says of it; undefined for a header that no node has made for it. */
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

  /** Other nodes that live. */
  async others(): Promise<readonly NodeView[]> {
    return (await this.#deps.nodes.all()).filter(({ state, isSelf }) => state === 'alive' && !isSelf);
  }

  /** The headers of a request to the node `target`. They are taken once. */
  async sign(target: string, request: ReceivedRequest, hasBody: boolean): Promise<SentHeaders> {
    const { nodes, key, self } = this.#deps;
    return signedHeaders(request, { target, hasBody }, { self, key, time: await nodes.nowMs() });
  }

  /** Sends once more where the connection was closed by the node: signed anew, as it may have read the first. */
  async send(node: NodeView, request: ReceivedRequest, how: Sending): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(node, request, how);
    } catch (cause) {
      if (!(cause instanceof NodeSilent && cause.isStale)) throw cause;
      return await this.#sendOnce(node, request, { ...how, headers: undefined, isAlone: true });
    }
  }

  /** The answer of a node to a call of this one, on a connection of its own; undefined where it cannot be reached. */
  async call(name: string, request: ReceivedRequest, how: Sending): Promise<IncomingMessage | undefined> {
    const { nodes } = this.#deps;
    const known = await nodes.find(name);
    // The caller has seen a node that has just started.
    const node = known?.state === 'alive' ? known : await nodes.find(name, 0);
    // One that is not known is no value for a label.
    if (node && node.state !== 'alive') this.called(name, 'gone');
    if (node?.state !== 'alive') return undefined;
    try {
      const answer = await this.#sendOnce(node, request, { ...how, isAlone: true });
      this.called(name, 'answered');
      return answer;
    } catch (cause) {
      if (!(cause instanceof NodeSilent)) throw cause;
      if (!how.gone.aborted) this.called(name, 'unreachable', cause);
      return undefined;
    }
  }

  /** The whole answer of a node to a question without a body; undefined where it does not answer in time. */
  async ask(node: NodeView, request: ReceivedRequest, gone: AbortSignal): Promise<ListAnswer | undefined> {
    const over = new AbortController();
    let silent: NodeSilent | undefined;
    const asking = this.send(node, request, { body: undefined, gone: AbortSignal.any([gone, over.signal]) })
      .then(listAnswer)
      .catch((error) => {
        silent = error instanceof NodeSilent ? error : undefined;
        return undefined;
      });
    const answer = await withTimeout(this.#deps.clock, LIST_TIMEOUT, asking, undefined);
    over.abort();
    if (answer || !gone.aborted) this.called(node.name, answer ? 'answered' : 'unreachable', silent);
    return answer;
  }

  /** Asks all other living nodes at once. */
  async askOthers(request: ReceivedRequest, gone: AbortSignal): Promise<OtherAnswers> {
    const others = await this.others();
    const asked = await Promise.all(others.map((node) => this.ask(node, request, gone)));
    const values = asked.map((answer) => answer?.value);
    return {
      answers: values.filter((value) => value !== undefined),
      unanswered: others.filter((_, index) => values[index] === undefined).map(({ name }) => name),
    };
  }

  #keyOf(node: NodeView): KeyObject | undefined {
    const key = this.#keys.get(node) ?? (node.publicKey === null ? undefined : publicKeyOf(node.publicKey));
    if (key) this.#keys.set(node, key);
    return key;
  }

  async #sendOnce(
    { name, address }: NodeView,
    request: ReceivedRequest,
    { body, gone, headers, isAlone = false }: Sending & { isAlone?: boolean },
  ): Promise<IncomingMessage> {
    // Without `advertise` a node shows where it listens, which is no address for keys to be sent to.
    if (address === null || !/^https?:\/\//.test(address)) throw new NodeSilent(new Error('it advertises no URL'));
    const signed = headers ?? (await this.sign(name, request, body !== undefined));
    const { method, url } = request;
    return await this.#deps.client.send(address, { method, url, headers: signed, body, gone, isAlone });
  }
}
