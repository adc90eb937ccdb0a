// The one shape of an operation. From a declaration come its route, its complaints, the permission check, the audit
// entry, the OpenAPI description and the reference page.

import type { Readable } from 'node:stream';
import type { Actor, Caller } from '#access/caller.ts';
import type { Params as AuditParams } from '#audit/entry.ts';
import type { OtherAnswers } from '#cluster/calls/node-calls.ts';
import type { ApiError } from '#contract/errors.ts';
import type { ActionCode } from '#contract/labels/en.ts';
import type { Failure } from '#contract/partial-outcome.ts';
import type { Role } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import type { Typed } from './answers/shapes.ts';
import type { OwnedKind } from './between-nodes.ts';
import type { Credentials, OriginKind } from './credentials.ts';
import type { InputOf, Params } from './params/params.ts';
import type { SentOf } from './params/sent.ts';
import type { Headers } from './requests/body-params.ts';
import type { RawParams } from './requests/raw-params.ts';

/** Of every answer that is one JSON object. */
export const JSON_TYPE = 'application/json; charset=utf-8';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Whether the method never changes anything. */
export const isReading = (method: Method): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

export interface Endpoint<
  P extends Params = Params,
  N = never,
  R = never,
  A = unknown,
  M extends Method = Method,
  Path extends string = string,
> {
  readonly title: string;
  /** What a reader of the reference must know beyond the tables; an empty line begins a paragraph. */
  readonly notes?: string;
  readonly method: M;
  /** Below `/api/core`, unless it is one of the service's own operations or one of a sender protocol. */
  readonly path: Path;
  /** The sender protocol that the operation belongs to; its paths are at the root. */
  readonly protocol?: string;
  /** False for a request that is answered as if there were no such path; asked before anything else. */
  appliesTo?(head: RequestHead): boolean;
  readonly access: Access;
  /**
   * Given when the operation takes logs, as a push or as an upload: keys of scope `push` may call it, and no other one. An
   * operation for pushes also reads the credentials of existing senders (credentials.ts).
   */
  readonly takesLogs?: 'pushed' | 'uploaded';
  /** Given when a call leaves an audit entry: every operation that changes something or takes data out. */
  readonly audit?: ActionCode;
  /** What a call refused for lack of permission is written as, where `audit` is not given: by default `read` of its module. */
  readonly auditedRefusal?: ActionCode;
  /**
   * Given when the object that the first parameter of the path names lives in one node: the call is passed on to that node, with
   * its streams and the credentials of the caller.
   */
  readonly ownedBy?: OwnedKind;
  /** Only another node may call it, on behalf of the account that the node names; it is part of no reference. */
  readonly isBetweenNodes?: true;
  /** With `ownedBy`: a call whose owner does not answer is run by the node that was asked. */
  readonly runsWithoutOwner?: true;
  readonly params: P;
  /** Given when the body is not parameters but data, which `run` finds in `content`. Parameters are then in the path alone. */
  readonly rawBody?: RawBody;
  /** Another way to give the parameters: what the headers say in place of a body. Undefined when they say nothing. */
  givenInHeaders?(headers: Headers): RawParams | undefined;
  /** Headers that every answer has, a refusal too, when the request has them. */
  readonly mirrored?: Readonly<Record<string, string>>;
  readonly answer: Typed<A>;
  /** Given when errors are not answered in the form of all operations. */
  readonly refusals?: Refusals;
  /** An answer, where the one that follows from the examples of its fields tells too little. */
  readonly example?: NoInfer<A>;
  /** The status of success where it is not 200; with 204 there is no body. */
  readonly answerStatus?: 201 | 204;
  /** Further statuses that such an answer may have. */
  readonly otherStatuses?: readonly number[];
  /** What the headers of a success say, by their names. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The media type of an answer that is not one JSON object. */
  readonly answerType?: string;
  /** Further media types of the same content, where the request chooses one. */
  readonly furtherTypes?: readonly string[];
  /**
   * False for an operation that is no reading and yet changes nothing of the configuration: it runs outside the units of
   * the store and may await whatever it needs.
   */
  readonly isUnit?: false;
  /**
   * For access `token`: whose token it is, and what for; undefined when it is nobody's. Asked for the entry of a call that was
   * refused before `run` could tell. Without an answer such refusals are counted, by address and minute.
   */
  ownerOf?(path: Readonly<Record<string, string>>, needs: N): Promise<TokenOwner | undefined>;
  /**
   * What must be done before the unit, where that takes more than the store: it sees committed rows and may await whatever it
   * needs. What it gives is handed to `run`.
   */
  prepare?(input: InputOf<P>, needs: N): Promise<R>;
  /**
   * An operation that is no reading runs as one unit of the store: `db` is its transaction, and nothing but `db` may
   * be awaited. A reading sees committed rows, and so does an operation that says `isUnit: false`.
   */
  run(input: InputOf<P>, needs: N, prepared: R): Promise<NoInfer<A | Answer<A>>>;
}

/** What is known of a request before its body. */
export interface RequestHead {
  readonly method: string;
  /** With its query string. */
  readonly url: string;
  readonly headers: Headers;
}

/** The errors of a protocol, whose clients expect a form of their own. */
export interface Refusals {
  readonly shape: Typed<object | string>;
  /** The media type where it is not JSON alone. */
  readonly type?: string;
  of(error: ApiError, head: RequestHead): Answer<object>;
}

/** Whether it is one of the service's own operations, at the root: never limited, and without an audit entry. */
export const isOwn = ({ path, protocol }: Pick<AnyEndpoint, 'path' | 'protocol'>): boolean =>
  !path.startsWith('/api/') && protocol === undefined;

/** What a body of data may be. */
export interface RawBody {
  // A type of two asterisks is any type, or none.
  readonly types: readonly string[];
  /** Also taken without a content type, or with that of forms; its type is then empty. */
  readonly mayBeUntyped?: boolean;
  /**
   * Handed on while it arrives, and as it was sent. Otherwise it is read as a whole, up to the limit of the setting
   * `push-limit`; it may come compressed then (decompression.ts), and the limit is on what that decompresses to.
   */
  readonly isStreamed?: boolean;
  /** Content encodings in which the body is handed on as it was sent. */
  readonly passes?: readonly string[];
  /** For the example of a call. */
  readonly sample: string;
}

/** A body of data as it arrived, decompressed. */
export interface Content {
  /** One of the declared types; empty for a request without a body, and for a body without a type. */
  readonly type: string;
  readonly bytes: Buffer;
  /** The encoding of `bytes`, where it is one that the operation reads itself. */
  readonly encoding?: string;
  /** Counts memory that is made of the body among that of all bodies; throws 429 where there is none. */
  hold?(bytes: number): void;
  /** In place of `bytes` where there is no limit. Whoever stops reading leaves the rest: the shape lets it run out. */
  readonly stream?: Readable;
  /** How many bytes the stream is said to have; undefined when that was not said. */
  readonly announcedBytes?: number;
}

/** Of a request without a body. */
export const NO_CONTENT: Content = { type: '', bytes: Buffer.alloc(0) };

/**
 * `none` needs no account, `token` is for the operation to check and looks at no credentials; a role means that role or
 * higher; a rule of its own is asked with the path's parameters.
 */
export type Access = 'none' | 'token' | Role | AccessRule;

export interface AccessRule {
  readonly text: string;
  allows(caller: Caller, path: Readonly<Record<string, string>>, store: Store): Promise<boolean>;
}

/** What the shape hands to every `run`, beside the services that app.ts wires. */
export interface Call {
  readonly db: Db;
  /** Reading it in an operation with access `none` or `token` is a defect. */
  readonly caller: Caller;
  readonly remoteIp: string;
  readonly requestId: string;
  /** The request came under TLS, of this service or of a trusted proxy. */
  readonly isTls: boolean;
  /** Whether the page that sent it is the service's own. */
  readonly origin: OriginKind;
  /** What the client calls itself, and what it would like to get; empty where it does not say. */
  readonly userAgent: string;
  readonly accept: string;
  /** The answers of all other living nodes to this call with other parameters in its query string; none where a node asks. */
  askOthers(params: Readonly<Record<string, string>>): Promise<OtherAnswers>;
  /** Aborts when nobody waits for the answer any longer: the connection has closed, or the call has failed. */
  readonly gone: AbortSignal;
  /** The node that has passed the call on. */
  readonly forwardedBy: string | undefined;
  /** The body, in operations that declare `rawBody`; otherwise empty. */
  readonly content: Content;
  /** What the request brought to say who calls; looked at by the shape, except in operations with access `none` or `token`. */
  readonly credentials: Credentials | undefined;
  /** Adds to the msg_params of the audit entry. */
  note(params: AuditParams): void;
  /** Says who is calling, where the operation itself finds out. */
  identify(actor: Actor): void;
  /** Runs `work` once the unit and its audit entry are durable, before the answer leaves: for what follows outside the store. */
  afterCommit(work: () => Promise<void>): void;
  /** Says that this call changed nothing after all, so that it leaves no audit entry. */
  leaveUnrecorded(): void;
  /** For an operation that is no unit itself, but makes one. */
  readonly entry: UnitEntry;
  /** Says that one of the listed objects was left as it was, which is neither a success nor a failure. */
  leaveAlone(id: string, reason: LeftAlone['reason']): void;
  /** Says that this call, although it is answered, was refused: its audit entry has this as its error. */
  recordAsFailed(error: string): void;
}

/** The audit entry of a call, where the operation says when it is written. */
export interface UnitEntry {
  /** Called last in the unit: what fails afterwards would not take the entry back. */
  add(params: AuditParams): void;
  /** The unit is durable: whatever comes after, the call has its entry. */
  committed(): void;
  /**
   * Writes the entry of a read while its answer is made; resolves when it is durable. Nothing of the answer may leave before.
   * A repeat of a run that `isRepeatable` is counted in place of it, at once.
   */
  write(run?: { readonly isRepeatable: boolean }): Promise<void>;
}

/** Who stands behind a token, and the msg_params that say what it is for. */
export interface TokenOwner {
  readonly actor: Actor;
  readonly noted: AuditParams;
}

/** What became of an object that was left as it was. */
export interface LeftAlone extends Failure {
  readonly reason: 'still-running' | 'already-stopped';
}

/** Infers the types of parameters from their readers and that of the answer from its shape; keeps method and path. */
export const endpoint = <P extends Params, N, A, const M extends Method, const Path extends string, R = undefined>(
  declaration: Endpoint<P, N, R, A, M, Path>,
): Endpoint<P, N, R, A, M, Path> => declaration;

/** What a client sends, path parameters included. */
export type RequestOf<E> = E extends { readonly params: infer P extends Params } ? SentOf<P> : never;

/** What a client gets on success. */
export type AnswerOf<E> = E extends { readonly answer: Typed<infer A> } ? A : never;

/** An answer that is more than a JSON object. */
export class Answer<out T = never> {
  /** A value, or the text or the bytes of one. */
  readonly body: T | string | Uint8Array | AsyncIterable<string>;
  /** Undefined for the one that the operation declares. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Answer<T>['body'], { status, headers = {} }: Partial<Pick<Answer, 'status' | 'headers'>> = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** The services that a list of endpoints needs together. */
export type ServicesOf<E extends readonly unknown[]> = Omit<Intersection<NeedsOf<E[number]>>, keyof Call>;

type NeedsOf<E> = E extends { run(input: never, needs: infer N, prepared: never): unknown } ? Known<N> : never;
// An operation that needs nothing would otherwise make the needs of all unknown.
type Known<N> = unknown extends N ? never : N;
// A union in argument position infers as the intersection of its members.
type Intersection<U> = (U extends unknown ? (of: U) => void : never) extends (of: infer I) => void ? I : never;

/** An endpoint in the list of all: its own types are erased, the list's were checked when it was wired. */
export type AnyEndpoint = Endpoint<Params, never, never, object>;
