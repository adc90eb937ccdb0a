// A client that has an answer already asks whether it has changed.

import type { Headers } from '#operations/requests/body-params.ts';

/** True when the request names the tag of the answer, or any: the client need not get it again. */
export function isKnownTag({ 'if-none-match': known }: Headers, tag: string | undefined): boolean {
  if (tag === undefined || typeof known !== 'string') return false;
  return known.split(',').some((name) => ['*', tag, `W/${tag}`].includes(name.trim()));
}
