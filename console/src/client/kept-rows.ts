// Rows of a list that stay while others are on their way: over a refresh of the same list, and while the service does not answer.

import { isSameValue } from '#console/unsaved/same-value.ts';
import { isOffline } from './connection.ts';

interface Before {
  readonly queryKey: readonly unknown[];
}

/** For `placeholderData`: `params` are those of the list; a refresh changes the range of its times alone. */
export const keepRows =
  (params: object) =>
  <T>(rows: T | undefined, before: Before | undefined): T | undefined =>
    isOffline() || isSameValue(withoutRange(params), withoutRange(before?.queryKey[1])) ? rows : undefined;

function withoutRange(params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return params;
  return { ...params, from: undefined, to: undefined };
}
