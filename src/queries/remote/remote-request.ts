// A query of `remote` on its way to the node that runs it: its text and all that it inherits, with the types of values.

import type { Accounts } from '#access/accounts/accounts.ts';
import { type Account, type Caller, NO_ACCOUNT } from '#access/caller.ts';
import { malformedBody } from '#contract/errors.ts';
import { isQuerySource, type QuerySource } from '#queries/names/sources.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Value } from '#query/model/values.ts';
import type { RemoteQuery } from '#query/plan-nodes/remote-rows.ts';
import { taggedJson, taggedValue } from '#query/rows/tagged-json.ts';

interface Asking {
  readonly accounts: Pick<Accounts, 'byUser'>;
  readonly caller: Caller;
  readonly remoteIp: string;
  /** The node that asks. */
  readonly askedBy: string | undefined;
}

/** The query that a node asks for. Its session is that of the query around it, which is on record. */
export async function queryRequestOf(
  body: string,
  { accounts, caller, remoteIp, askedBy }: Asking,
): Promise<QueryRequest> {
  const { calledBy: guids, ...query } = readRemoteBody(body);
  const calledBy: Account[] = [];
  for (const guid of guids) calledBy.push((await accounts.byUser(guid)) ?? NO_ACCOUNT);
  const called = calledBy.length === 0 ? {} : { calledBy };
  return { ...query, ...called, caller, remoteIp, askedBy, background: true, keepsRows: false };
}

export interface RemoteRequest extends RemoteQuery {
  readonly source: QuerySource;
  readonly isReadOnly: boolean;
  /** GUIDs of the accounts that have called the text of another one, the outermost first. */
  readonly calledBy: readonly string[];
}

/** A chain is as long as procedures may call one another, with the accounts of a schedule and of a dataset. */
const MAX_CALLERS = 32;

export function remoteBody({ range: { from, to }, calledBy, ...request }: RemoteRequest): string {
  const { text, constants, now, zone, source, isReadOnly } = request;
  return taggedJson(
    new Map<string, Value>([
      ['text', text],
      ['constants', new Map(constants)],
      // A date has milliseconds alone.
      ['now', now.toString()],
      ['zone', zone],
      ['source', source],
      ['read_only', isReadOnly],
      ['from', from ?? null],
      ['to', to ?? null],
      ['called_by', [...calledBy]],
    ]),
  );
}

/** Refuses a body that no node has written. */
export function readRemoteBody(body: string): RemoteRequest {
  const fields = fieldsOf(body);
  const [text, zone, source] = ['text', 'zone', 'source'].map((name) => fields.get(name) ?? null);
  const constants = fields.get('constants');
  const now = instantIn(fields.get('now'));
  const isWhole = typeof text === 'string' && typeof zone === 'string' && now !== undefined;
  if (!isWhole || !(constants instanceof Map) || !isQuerySource(source)) throw malformedBody();
  // Absent in requests of an earlier version.
  const isReadOnly = fields.get('read_only') === true;
  return { text, zone, source, now, constants, isReadOnly, range: rangeOf(fields), calledBy: callersIn(fields) };
}

function callersIn(fields: ReadonlyMap<string, Value>): readonly string[] {
  const callers = fields.get('called_by');
  const areGuids = Array.isArray(callers) && callers.every((guid) => typeof guid === 'string');
  if (!areGuids || callers.length > MAX_CALLERS) throw malformedBody();
  return callers;
}

function instantIn(value: Value | undefined): Temporal.Instant | undefined {
  try {
    return typeof value === 'string' ? Temporal.Instant.from(value) : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(body: string): ReadonlyMap<string, Value> {
  try {
    const read = taggedValue(body);
    return read instanceof Map ? read : new Map();
  } catch {
    throw malformedBody();
  }
}

function rangeOf(fields: ReadonlyMap<string, Value>): TimeRange {
  const [from, to] = ['from', 'to'].map((name) => fields.get(name));
  return {
    ...(from instanceof Temporal.Instant ? { from } : {}),
    ...(to instanceof Temporal.Instant ? { to } : {}),
  };
}
