// What a query is asked for with, and a text that is only checked.

import type { Account, Caller } from '#access/caller.ts';
import type { FacetsRequest } from '#query/facets.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { KnownParameter } from '#query/planning/query-context.ts';
import type { QuerySource } from './names/sources.ts';
import type { Constants, DeclaredParams } from './runs/constants.ts';
import type { QueryStages } from './status/query-stages.ts';

/**
 * The leading commands of a pipeline, written by another account: they are checked and run with its rights, all others with
 * those of the caller. The text of such a query is both, joined by `joinedText`.
 */
export interface LeadingText {
  readonly text: string;
  readonly account: Account;
  /** The commands that follow; undefined without any. */
  readonly rest: string | undefined;
}

export type Tags = { readonly [name: string]: string };

export interface QueryRequest {
  readonly caller: Caller;
  /** Accounts that called the text, where it runs with the rights of another one, the outermost first: names from parameters need the rights of all (11). */
  readonly calledBy?: readonly Account[] | undefined;
  readonly source: QuerySource;
  readonly remoteIp: string;
  readonly text: string;
  readonly lead?: LeadingText | undefined;
  /** Set where the query is that of facets; `text` is then the joined text of its commands. */
  readonly facets?: FacetsRequest | undefined;
  /** Whether it continues after the end of its session. */
  readonly background: boolean;
  /** Whether rows are kept for later fetches; otherwise they are streamed to the request. */
  readonly keepsRows: boolean;
  readonly params?: DeclaredParams | undefined;
  /** Constants with typed values, beside `params`: those of a run of the scheduler. */
  readonly constants?: Constants | undefined;
  /** The value of `now()`, where it is not the moment of acceptance. */
  readonly now?: Temporal.Instant | undefined;
  /** Time range of tables where the text has none. */
  readonly range?: TimeRange | undefined;
  readonly tags?: Tags | undefined;
  /** Whether a text that changes something is refused (92004). */
  readonly isReadOnly?: boolean | undefined;
  /** Zone of the query where the text names none; absent: that of the service. */
  readonly zone?: string | undefined;
  /** The node that has asked for it. */
  readonly askedBy?: string | undefined;
  /** Gets what the query does where, if that is asked for. */
  readonly stages?: QueryStages | undefined;
}

/** A text, its caller, and the constants that it may read by `$()`. */
export interface CheckRequest
  extends Pick<
    QueryRequest,
    | 'caller'
    | 'calledBy'
    | 'text'
    | 'lead'
    | 'facets'
    | 'params'
    | 'constants'
    | 'now'
    | 'range'
    | 'isReadOnly'
    | 'zone'
    | 'askedBy'
  > {
  /** `last` leaves out the errors of leading commands of another account. */
  readonly reports?: 'all' | 'last';
  /** Whether it is going to run: then a place that needs a value refuses null (5). */
  readonly isRun?: true;
  /** Whether it follows another query, which may hand on constants. */
  readonly mayReceive?: boolean;
  /** Set for the text of a procedure: parameters have values only in a call. */
  readonly parameters?: readonly KnownParameter[];
}
