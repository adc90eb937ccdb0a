// Rows of `system OBJECT`: read when a run needs them, with the rights of the account that the command has.

import type { Rightful } from '#access/caller.ts';
import type { NamedAccount } from '#cluster/calls/signed-header.ts';
import { fromStamp } from '#contract/times.ts';
import type { Locale, Role } from '#contract/values.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { SystemRows } from '#query/plan-nodes/system.ts';
import { strictJson } from '#query/values/formats/strict-json.ts';
import { mapOf } from '#query/values/formats/tags.ts';

/** A node whose rows are missing. */
export interface MissingNode {
  readonly name: string;
  /** Of its answer; absent: it did not answer. */
  readonly status?: number;
}

/** Rows that a command asks for. */
export interface SystemRequest {
  readonly account: Rightful;
  /** The same account, as other nodes are told of it. */
  readonly named: NamedAccount;
  /** Address of the caller of the query. */
  readonly remoteIp: string;
  /** Aborted when the query has ended. */
  readonly signal: AbortSignal;
  /** Whether another node has asked for the query, or this one for its share: then the rows are those of this node alone. */
  readonly isPassedOn: boolean;
  /** Tells of a node whose rows are missing. */
  missing(node: MissingNode): void;
  /** Of texts for people. */
  readonly locale: Locale;
  /** Bounds of `_time`. */
  readonly range: TimeRange;
  readonly isVerbose: boolean;
}

/** An object that the command `system` lists. */
export interface SystemObject {
  /** The role that its operation asks for. */
  readonly access: Role;
  /**
   * In any order, some at a time: there may be millions. Rows outside of the range may be among them. Ends early where its
   * consumer does.
   */
  rows(request: SystemRequest): AsyncIterable<readonly MapValue[]>;
  /** Whether rows may hold what was read from encrypted tables; absent: never. */
  isSecret?(): Promise<boolean>;
}

export type SystemObjects = Readonly<Record<string, SystemObject>>;

/** Makes an object of rows that are few enough to be read at once. */
export const listedAtOnce = (
  access: Role,
  list: (request: SystemRequest) => Promise<readonly MapValue[]> | readonly MapValue[],
): SystemObject => ({
  access,
  async *rows(request) {
    yield await list(request);
  },
});

/** The record of an operation as a row; `dates` are its times. A field that the record leaves out is null. */
export function recordRow(record: object, dates: readonly string[]): Map<string, Value> {
  const row = new Map<string, Value>(mapOf(strictJson(JSON.stringify(record)) ?? null));
  for (const name of dates) {
    const stamp = row.get(name);
    row.set(name, typeof stamp === 'string' ? (fromStamp(stamp) ?? null) : null);
  }
  return row;
}

interface RunOf extends Pick<SystemRequest, 'locale' | 'remoteIp' | 'isPassedOn' | 'signal'> {
  readonly objects: SystemObjects;
  /** Resolves an account of a plan; undefined is the caller. */
  account(guid: string | undefined): Pick<SystemRequest, 'account' | 'named'>;
  warn(warning: QueryWarning): void;
}

/** Reads the rows of the nodes of a run. */
export async function* systemRowsOf(node: SystemRows, run: RunOf): AsyncGenerator<readonly MapValue[]> {
  const { object, account, range = {}, isVerbose = false, begin, end } = node;
  const named = Object.hasOwn(run.objects, object) ? run.objects[object] : undefined;
  if (!named) throw new Error(`there is no system object ${object}`);
  const { locale, remoteIp, isPassedOn, signal } = run;
  const missing = ({ name, status }: MissingNode) => {
    const about = { begin, end, suggestions: [] };
    if (status === undefined) run.warn({ ...about, code: 90912, values: { name } });
    else run.warn({ ...about, code: 90913, values: { name, n: status } });
  };
  const request = { ...run.account(account), remoteIp, isPassedOn, signal, missing, locale, range, isVerbose };
  for await (const block of named.rows(request)) {
    signal.throwIfAborted();
    yield block.filter((row) => isWithin(row.get('_time') ?? null, range));
  }
}

export async function areSecret(nodes: readonly SystemRows[], objects: SystemObjects): Promise<boolean> {
  for (const { object } of nodes) if (await objects[object]?.isSecret?.()) return true;
  return false;
}

function isWithin(time: Value, { from, to }: TimeRange): boolean {
  if (!(time instanceof Temporal.Instant)) return !from && !to;
  const isAfter = !from || Temporal.Instant.compare(time, from) >= 0;
  return isAfter && (!to || Temporal.Instant.compare(time, to) < 0);
}
