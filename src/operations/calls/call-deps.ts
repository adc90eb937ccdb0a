// Dependencies of a call: the services that every call needs, and the facts of its request.

import type { Accounts } from '#access/accounts.ts';
import type { KeyRate } from '#access/key-rate.ts';
import type { RefusedAttempts } from '#access/refused-attempts.ts';
import type { CountedEntries } from '#audit/counts/counted-entries.ts';
import type { RepeatedEntries } from '#audit/counts/repeated-entries.ts';
import type { Trail } from '#audit/trail.ts';
import type { OtherAnswers } from '#cluster/calls/node-calls.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { ForwardedBy } from '#operations/between-nodes.ts';
import type { Credentials, FindCallerAt, OriginKind } from '#operations/credentials.ts';
import type { RawParams } from '#operations/requests/raw-params.ts';
import type { Store } from '#store/store.ts';

/** Services that every call needs. */
export interface CallDeps {
  readonly clock: Clock;
  readonly store: Store;
  readonly trail: Trail;
  readonly accounts: Accounts;
  readonly attempts: RefusedAttempts;
  /** Refusals recorded once a minute. */
  readonly refusals: CountedEntries;
  /** Repeated queries, recorded once an hour. */
  readonly repeats: RepeatedEntries;
  readonly keyRate: KeyRate;
  /** Items in a list of GUIDs. */
  readonly maxGuids: number;
  /** Items in any other list. */
  readonly maxValues: number;
  readonly services: object;
  /** Has room for removals on a full disk. */
  readonly disk: { whileRemoving<T>(work: () => Promise<T>): Promise<T> };
}

export interface RequestFacts {
  readonly requestId: string;
  readonly remoteIp: string;
  readonly credentials: Credentials | undefined;
  /** The account of the credentials, if it was begun to be read before the request was verified. */
  readonly readAhead: FindCallerAt | undefined;
  readonly isTls: boolean;
  readonly origin: OriginKind;
  readonly userAgent: string;
  readonly accept: string;
  /** Undefined for a request that came from its client. */
  readonly forwarded: ForwardedBy | undefined;
  readonly path: Readonly<Record<string, string>>;
  /** Call when credentials of the request were accepted, or the token in its path. */
  credentialsAccepted(): void;
  /** As `Call.askOthers`. */
  askOthers(params: Readonly<Record<string, string>>, gone: AbortSignal): Promise<OtherAnswers>;
  /** Parameters outside of the path, as far as known, of a call that was refused before they were parsed. */
  paramsOfRefused(): RawParams;
}
