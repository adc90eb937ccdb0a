// Passes requests for a query or an upload on to the node that owns it. The node that was asked checks who calls and how often;
// rights, parameters, state and audit entry are the owner's. Nothing is passed on twice.

import { FRESH_MS, type NodeCalls, type Sending } from '#cluster/calls/node-calls.ts';
import { NodeSilent } from '#cluster/calls/node-client.ts';
import { announcesBody, type ReceivedRequest, type SentHeaders } from '#cluster/calls/signed-request.ts';
import type { NodeView } from '#cluster/members/membership.ts';
import { type ApiError, nodeUnreachable, noSuchQuery } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { OwnedKind } from '#operations/between-nodes.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';

/** Characters of a head that is signed before it is known who asks. */
const MAX_SIGNED_AHEAD = 16_384;
/** Age of a signature with which a request is still sent: an account may have taken long to be read. */
const AHEAD_MS = 5000;

export interface Owner {
  readonly name: string;
  readonly kind: OwnedKind;
  /** Of the owned object, as it stands in the path. */
  readonly id: string;
  /** The headers of the request to it, where they were signed ahead. */
  readonly signed?: { readonly headers: SentHeaders; readonly at: number } | undefined;
}

export interface ForwardingDeps {
  readonly calls: NodeCalls;
  readonly clock: Clock;
  /** The node that owns an object, by its id in a path; undefined where there is none. */
  readonly owners: Readonly<Record<OwnedKind, (id: string) => Promise<string | undefined>>>;
}

export class Forwarding {
  readonly calls: NodeCalls;
  readonly #deps: ForwardingDeps;

  constructor(deps: ForwardingDeps) {
    this.#deps = deps;
    this.calls = deps.calls;
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
    if (name === undefined || name === this.calls.self) return undefined;
    // Nobody knows yet who asks: a long head is signed when that is known.
    if (headLength(request) > MAX_SIGNED_AHEAD) return { name, kind, id };
    const headers = await this.calls.sign(name, request, announcesBody(request.headers));
    return { name, kind, id, signed: { headers, at: this.#deps.clock.nowMs() } };
  }

  /** The answer of the owner. Throws the refusal of the contract where the owner is gone or silent. */
  async pass(request: ReceivedRequest, owner: Owner, { body, gone }: Omit<Sending, 'headers'>) {
    const { clock, calls } = this.#deps;
    const known = await calls.nodes.find(owner.name);
    // It may have come back since its row was read.
    const node = isThere(known) ? known : await calls.nodes.find(owner.name, FRESH_MS);
    if (!isThere(node)) throw this.#refusalOf(owner);
    try {
      const isFresh = owner.signed !== undefined && clock.nowMs() - owner.signed.at < AHEAD_MS;
      const headers = isFresh ? owner.signed?.headers : undefined;
      const answer = await calls.send(node, request, { body, gone, headers });
      calls.called(owner.name, 'answered');
      return answer;
    } catch (cause) {
      if (!(cause instanceof NodeSilent)) throw cause;
      if (gone.aborted) throw nodeUnreachable(owner.name);
      // It may have left since its row was read.
      if (!isThere(await calls.nodes.find(owner.name, FRESH_MS))) throw this.#refusalOf(owner);
      calls.called(owner.name, 'unreachable', cause);
      throw Object.assign(nodeUnreachable(owner.name), { cause });
    }
  }

  /** For an object whose owner is gone: the bytes of an upload come back with it, a query does not. */
  #refusalOf({ name, kind, id }: Owner): ApiError {
    this.calls.called(name, 'gone');
    return kind === 'query' ? noSuchQuery(Number(id), name) : nodeUnreachable(name);
  }
}

const headLength = ({ url, headers }: ReceivedRequest): number =>
  url.length + String(headers.authorization ?? '').length + String(headers.cookie ?? '').length;

const isThere = (node: NodeView | undefined): node is NodeView => node !== undefined && node.state !== 'gone';
