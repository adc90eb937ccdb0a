// JSON that was given as a parameter, with its secrets masked: what the audit trail keeps of it.

import { MASK, maskSecrets, type ShownMembers } from '#contract/secret-names.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { jsonWithin, NumberText, type RawValue } from './raw-params.ts';

/** Text stays text. A text that is no JSON cannot be looked into and might hold a secret. */
export const maskingSecrets =
  (others: ShownMembers = {}) =>
  (given: RawValue): RawValue => {
    if (given instanceof NumberText || typeof given === 'boolean') return given;
    // What is masked has the shape it had.
    if (typeof given !== 'string') return maskSecrets(given, others) as RawValue;
    const value = jsonWithin(given);
    if (value === undefined || isUnnamed(value)) return MASK;
    const masked = maskSecrets(value, others);
    return masked === value ? given : JSON.stringify(masked);
  };

/** A value by itself, where lists or maps of named ones are expected. */
const isUnnamed = (value: Json): boolean => typeof value !== 'object';
