// The one shape of a sender protocol. From a declaration come its routes, its complaints, the check of rights, the decoding in
// a thread, the counters, the OpenAPI description and the row in the conformance suite.

import type { ApiError } from '#contract/errors.ts';
import type { Answer, Method } from '#http/endpoint.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { BodyRefused, Decoded, SenderRequest } from './decoded.ts';

export const SENDER_NAMES = ['otlp', 'elasticsearch', 'splunk', 'loki'] as const;
export type SenderName = (typeof SENDER_NAMES)[number];

export interface Sender<Facts = unknown> {
  readonly name: SenderName;
  readonly title: string;
  /** What a reader of the reference must know; an empty line begins a paragraph. */
  readonly notes: string;
  /** The routes that take logs. */
  readonly routes: readonly LogRoute[];
  /** Media types of bodies; undefined where the content type is ignored. */
  readonly types: readonly string[] | undefined;
  /** Whether a body may come in one snappy block, which the decoder reads itself. */
  readonly takesSnappy?: true;
  /** `item` keeps the other records of a request; `request` keeps nothing of it. */
  readonly rejects: 'item' | 'request';
  /** Pure, and run in a thread: it sees nothing but its arguments. Throws BodyRefused. */
  decode(body: Buffer, request: SenderRequest): SlicedWork<Decoded<Facts>>;
  answer(outcome: Outcome<Facts>): Answer<object>;
  refuse(error: ApiError | BodyRefused, request: SenderRequest): Answer<object>;
}

export interface LogRoute {
  /** Unique in its protocol; the decoder may look at it. */
  readonly name: string;
  readonly method: Extract<Method, 'POST' | 'PUT'>;
  /** At the root. */
  readonly path: `/${string}`;
  readonly title: string;
}

/** What became of a request whose body was decoded. */
export interface Outcome<Facts = unknown> {
  readonly request: SenderRequest;
  readonly facts: Facts;
  /** Of each item its place in FATES. */
  readonly fates: Uint8Array;
  readonly milliseconds: number;
}
