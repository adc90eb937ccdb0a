// The one shape of a sender protocol. From a declaration come its routes, its complaints, the check of rights, the decoding in
// a thread, the counters, the OpenAPI description and the row in the conformance suite.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Answer, AnyEndpoint, Endpoint, Method, Refusals } from '#operations/endpoint.ts';
import type { Params } from '#operations/params/params.ts';
import type { Decoded, SenderRequest } from './decoded.ts';
import type { Fates } from './fates.ts';
import type { SenderName } from './names.ts';
import type { LineTarget } from './records/line-target.ts';

export interface Sender<Facts = unknown> {
  readonly name: SenderName;
  /** The routes that take logs. */
  readonly routes: readonly LogRoute[];
  /** Further operations that clients of the protocol call. */
  readonly probes: readonly AnyEndpoint[];
  /** Media types of bodies. */
  readonly types: readonly string[];
  /** Whether a body may come in one snappy block, which the decoder reads itself. */
  readonly takesSnappy?: true;
  /** A body, for the example of a call. */
  readonly sample: string;
  /** What a record without a table, or without the right to write to it, costs: itself alone, or its request. */
  readonly rejectsTables: 'item' | 'request';
  /**
   * How a fault that may pass is answered: for each item, for the items that follow stored ones, or for the request. Clients
   * of the last cannot learn that a part was stored: a repeat stores that part twice and loses nothing.
   */
  readonly reportsFaults: 'item' | 'rest' | 'request';
  readonly refusals: Refusals;
  /** Run in a thread: it sees nothing but its arguments, and changes nothing but the target. Throws BodyRefused. */
  decode(body: Buffer, request: SenderRequest, target?: LineTarget): SlicedWork<Decoded<Facts>>;
  /** The id under which an item is stored once; empty for none. */
  onceIdOf?(facts: Facts, item: number): string;
  /** The code of a parser for the field `line`, if there is one of this code. */
  parserHint?(request: SenderRequest): string | undefined;
  answer(outcome: Outcome<Facts>): Answer<object>;
}

export interface LogRoute
  extends Pick<Endpoint<Params, never, never, object>, 'title' | 'notes' | 'answer' | 'answerStatus' | 'answerType'>,
    Partial<Pick<AnyEndpoint, 'otherStatuses' | 'answerHeaders' | 'furtherTypes' | 'example'>> {
  /** What kind of body it takes; routes with the same bodies share it, and decoder and answer look at it. */
  readonly name: string;
  readonly method: Extract<Method, 'POST' | 'PUT'>;
  /** At the root. */
  readonly path: `/${string}`;
  /** Beside those of all senders; those of the path come first. */
  readonly params: Params;
}

/** What became of a request whose body was decoded. */
export interface Outcome<Facts = unknown> {
  readonly request: SenderRequest;
  readonly facts: Facts;
  readonly fates: Fates;
  /** What the client would like to get; empty where it does not say. */
  readonly accept: string;
  readonly milliseconds: number;
  /** The next number of a series, from 0. */
  next(series: string): number;
}
