// Whether a caller may use an operation: step 4 of the order of checks.

import type { Caller } from '#access/caller.ts';
import { isAtLeast } from '#contract/values.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import type { Store } from '#store/store.ts';

interface PermissionContext {
  readonly path: Readonly<Record<string, string>>;
  readonly store: Store;
}

export async function isPermitted(
  { access, takesLogs }: AnyEndpoint,
  caller: Caller,
  { path, store }: PermissionContext,
): Promise<boolean> {
  if (access === 'none' || access === 'token') return true;
  if (caller.keyScope === 'push' && !takesLogs) return false;
  return typeof access === 'string' ? isAtLeast(caller.role, access) : await access.allows(caller, path, store);
}
