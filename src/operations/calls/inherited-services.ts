// What every operation inherits: the services, and the parts of its call that are computed when they are read. Copying a dozen
// services takes longer than the rest of a call, and getters in a literal of each call keep it, with its body, in memory until the
// next full collection.

import type { Call } from '#operations/endpoint.ts';

/** The call behind what an operation gets. */
export const BEHIND = Symbol('behind');

type Behind = Pick<Call, 'caller' | 'gone'>;

export interface Inheriting {
  readonly __proto__: object;
  readonly [BEHIND]: Behind;
}

const inherited = new WeakMap<object, object>();

export function inheritedOf(services: object): object {
  const known = inherited.get(services);
  if (known) return known;
  const made = Object.create(services, {
    caller: { get: callerOf },
    gone: { get: goneOf },
  });
  inherited.set(services, made);
  return made;
}

function callerOf(this: Inheriting): Behind['caller'] {
  return this[BEHIND].caller;
}

function goneOf(this: Inheriting): Behind['gone'] {
  return this[BEHIND].gone;
}
