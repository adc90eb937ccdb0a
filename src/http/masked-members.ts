// Values with the members of a name masked, however deep they are: what the audit trail keeps of them.

import { MASK } from '#contract/secret-names.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { isRawNumber } from '#kernel/exact-json.ts';
import { type Given, jsonWithin, NumberText } from './given.ts';

/** What is no JSON cannot be looked into, and might be meant as a secret. */
export const maskingMembers =
  (name: string) =>
  (given: Given): Given => {
    if (given instanceof NumberText) return given;
    const value = typeof given === 'string' ? jsonWithin(given) : given;
    if (value === undefined || value === null || typeof value === 'number') return MASK;
    return masked(value, name) as Given; // What is masked has the shape it had.
  };

function masked(value: Json, name: string): Json {
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item: Json) => masked(item, name));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === name ? MASK : masked(item, name)]),
  );
}
