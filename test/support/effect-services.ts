// Services of effects for runs that have none: whichever effect asks for one fails.

import type { EffectServices } from '#query/plan-nodes/kinds.ts';

const refuse = (): never => {
  throw new Error('nothing outside of the query is here');
};

// A copy of an object is made of its own members: the proxy goes behind those that a test provides.
const refusing = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : refuse()) });

export const servicesWith = (provided: Partial<EffectServices>): EffectServices =>
  Object.setPrototypeOf({ ...provided }, refusing);
