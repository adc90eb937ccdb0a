// What a decoder makes of a request's body: the records of each table name as lines of JSON, and the fate of each item.
// All of it is plain data that crosses threads; per item there are numbers only, because a body may have a million items.

import type { Arrival, Reason } from '#ingest/decode/record.ts';
import type { TableMapping } from './tables/table-names.ts';

/** The request as a decoder sees it: plain data. */
export interface SenderRequest {
  /** Name of the route, as the sender declares it. */
  readonly route: string;
  /** Media type in lower case and without parameters; empty where the request has none. */
  readonly type: string;
  /** What the body is still encoded with; other encodings are decoded before. */
  readonly encoding: 'identity' | 'snappy';
  /** Parameters of the path and of the query string; of a name given twice the first value. */
  readonly params: Readonly<Record<string, string>>;
  readonly arrival: Arrival;
  /** The setting `senders-map`, for names that count only where a pattern fits. */
  readonly mappings: readonly TableMapping[];
  readonly limits: RecordLimits;
}

export interface RecordLimits {
  /** The body itself, decompressed. */
  readonly bodyBytes: number;
  /** Text of all records together. */
  readonly bytes: number;
  /** Text of one record. */
  readonly lineBytes: number;
  /** Items of one body, rejected ones included. */
  readonly items: number;
}

/** Distinct table names of one body. */
export const MAX_NAMES = 1000;

/**
 * What becomes of an item. A decoder gives the reasons from `malformed-json` to `invalid-id`; those behind them come
 * from the tables and the intake.
 */
export const FATES = [
  'kept',
  'malformed-json',
  'not-an-object',
  'line-too-long',
  'invalid-time',
  'parse-failed',
  'nested-too-deep',
  'event-missing',
  'event-blank',
  'unsupported-action',
  'invalid-id',
  'no-table',
  'no-permission',
  'duplicate',
  'not-kept',
] as const;
export type Fate = (typeof FATES)[number];
export type DecodeReason =
  | Reason
  | Extract<Fate, 'nested-too-deep' | 'event-missing' | 'event-blank' | 'unsupported-action' | 'invalid-id'>;

/** Records that name the same table, in the order in which they came. */
export interface RecordGroup {
  /** The table as the sender names it; undefined for records that name none. */
  readonly name: string | undefined;
  /** One record per line, each with a line end. `_time` is in epoch milliseconds; a record without it is of its arrival. */
  readonly lines: Uint8Array;
  /** Of each line the byte behind its end. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Of each line its item, counted from 0. */
  readonly items: Uint32Array<ArrayBuffer>;
}

export interface Decoded<Facts = unknown> {
  readonly groups: readonly RecordGroup[];
  /** Of each item its place in FATES: 0 for a record of a group. */
  readonly fates: Uint8Array;
  readonly rejected: RejectedItems;
  /** What the answer needs beside: plain data, packed where it grows with the items. */
  readonly facts: Facts;
}

export interface RejectedItems {
  readonly count: number;
  /** Infinity where there is none. */
  readonly first: number;
}

/** Why a body as a whole is refused. */
export type BodyFault = 'malformed' | 'empty' | 'too-long' | 'too-many-items' | 'too-many-names';

/** Thrown by a decoder: nothing of the body is kept. */
export class BodyRefused extends Error {
  readonly fault: BodyFault;
  /** The item that is at fault, from 0. */
  readonly item: number | undefined;

  /** `detail` is shown to the sender: it holds no secret. */
  constructor(fault: BodyFault, { item, detail }: { item?: number; detail?: string } = {}) {
    super(detail ?? '');
    this.fault = fault;
    this.item = item;
  }
}
