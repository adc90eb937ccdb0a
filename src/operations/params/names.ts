// Which parameters are names, and how they are read.

import { normalizeName } from '#kernel/text/names.ts';
import type { RawParams, RawValue } from '#operations/requests/raw-params.ts';
import { type Params, type Reader, single, text } from './params.ts';

/** Parameters of a body that are names. */
const NAMES = ['name', 'login', 'code', 'title'];
export function normalizedNames(rawParams: RawParams, params: Params): RawParams {
  const names = NAMES.filter((name) => rawParams.has(name) && !params[name]?.isNamedAsSent);
  if (names.length === 0) return rawParams;
  const normalized = new Map<string, readonly RawValue[]>(rawParams);
  for (const name of names) {
    const values = rawParams.get(name) ?? [];
    normalized.set(
      name,
      values.map((value) => (typeof value === 'string' ? normalizeName(value) : value)),
    );
  }
  return normalized;
}

/** A name whose length counts as it was sent, blanks around it included. */
export function nameAsSent(most: number): Reader<string | undefined> {
  const reader = text(most);
  return {
    ...single({ type: 'string', maxLength: most }, (given, name, context) => {
      const isBlank = typeof given === 'string' && given.trim() === '';
      const sent = isBlank ? undefined : reader.read([given], name, context);
      return sent === undefined ? undefined : normalizeName(sent);
    }),
    isNamedAsSent: true,
  };
}
