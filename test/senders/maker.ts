// What a protocol gives to the conformance suite: requests with records, and what their answers look like.

import type { Reply } from '#test/support/service.ts';

export interface SentRecord {
  readonly line: string;
  /** The table by the protocol's own name for it. */
  readonly table?: string;
}

export interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The status, and what the suite compares of the rest. */
export type Said = readonly [status: number, content: unknown];

export interface SenderMaker {
  readonly name: string;
  readonly protocol: string;
  request(records: readonly SentRecord[]): SentRequest;
  /** A body that is nothing of the protocol. */
  readonly malformed: SentRequest;
  /** Without what differs from call to call. */
  read(reply: Pick<Reply, 'status' | 'headers' | 'text' | 'json'>): Said;
  readonly says: {
    taken(records: number): Said;
    /** Of three records the second is too long. */
    readonly tooLong: Said;
    readonly malformed: Said;
    readonly oversized: Said;
    readonly noKey: Said;
    readonly wrongKey: Said;
    readonly forbidden: Said;
    /** Of two records the second is for a table that does not exist. */
    readonly noTable: Said;
    /** The same with a table that may be read only. */
    readonly readOnly: Said;
    /** No room for the body. */
    readonly busy: Said;
    /** The disk is full: one record for the table `main`. */
    readonly noSpace: Said;
    /** Of two records the first is stored; for the table of the second there is no room then. */
    readonly laterFails: Said;
  };
  /** Whether the other records of a request are kept where one has no table. */
  readonly keepsOtherTables: boolean;
}

/** The limit of the suite's service, and a line beyond it. */
export const LINE_LIMIT = 2000;
export const LONG_LINE = 'x'.repeat(LINE_LIMIT + 1);
/** The least budget for bodies, and a body that is longer than the share of one account. */
export const BODIES_LIMIT = 1024 * 1024;
export const PUSH_LIMIT = BODIES_LIMIT / 4 + 64 * 1024;
