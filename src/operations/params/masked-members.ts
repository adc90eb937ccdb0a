// JSON parameters with their secrets masked, for the audit trail.

import { MASK, maskSecrets, type ShownMembers } from '#contract/secret-names.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { jsonWithin, NumberText, type RawValue } from '#operations/requests/raw-params.ts';

/** Text stays text. A text that is not JSON cannot be searched and might hold a secret. */
export const maskingSecrets =
  (others: ShownMembers = {}) =>
  (raw: RawValue): RawValue => {
    if (raw instanceof NumberText || typeof raw === 'boolean') return raw;
    // Masking keeps the shape.
    if (typeof raw !== 'string') return maskSecrets(raw, others) as RawValue;
    const value = jsonWithin(raw);
    if (value === undefined || isUnnamed(value)) return MASK;
    const masked = maskSecrets(value, others);
    return masked === value ? raw : JSON.stringify(masked);
  };

/** A bare value, where lists or maps of named values are expected. */
const isUnnamed = (value: Json): boolean => typeof value !== 'object';
