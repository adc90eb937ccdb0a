// A run of a query as the audit trail recognizes its repeats: the session, the operation and the parameters without the time
// range.

import { hash } from 'node:crypto';
import type { Accounts } from '#access/accounts/accounts.ts';
import type { Caller } from '#access/caller.ts';
import type { RepeatableRun } from '#audit/counts/repeated-entries.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { isWithinBytes } from '#kernel/json/json-size.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { NumberText, type RawParams, type RawValue } from '#operations/requests/raw-params.ts';

/** May differ between repeats. */
const RANGE = ['from', 'to'];
/** Larger parameters are not compared. */
const MAX_BYTES = 64 * 1024;

/** Undefined where repeats cannot be recognized. */
export function repeatableRun(
  { method, path, params }: AnyEndpoint,
  rawParams: RawParams,
  { caller, accounts }: { readonly caller: Caller; readonly accounts: Accounts },
): RepeatableRun | undefined {
  const names = Object.keys(params).filter((name) => !RANGE.includes(name));
  const compared: Json = [method, path, names.map((name) => (rawParams.get(name) ?? []).map(jsonOf))];
  if (!isWithinBytes(compared, MAX_BYTES)) return undefined;
  return { session: sessionOf(caller, accounts), key: hash('sha256', JSON.stringify(compared), 'hex') };
}

/** In a function of its own: a closure holds the variables of the function around it, here the parameters of a request. */
function sessionOf(caller: Caller, accounts: Accounts): RepeatableRun['session'] {
  const { sessionGuid, keyGuid, keySession } = caller;
  return {
    id: sessionGuid ?? `${keyGuid} ${keySession}`,
    isOpen: () => accounts.isInSession(caller, { isAttended: false }),
  };
}

/** A number is no text of the same digits. */
const jsonOf = (value: RawValue): Json => (value instanceof NumberText ? [value.digits] : value);
