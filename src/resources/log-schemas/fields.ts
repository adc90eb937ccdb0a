// Readers of the fields of a log schema.

import { duplicatedMember } from '#contract/errors.ts';
import { SCHEMA_TYPES } from '#contract/values.ts';
import { array, json, members } from '#http/json-params.ts';
import { int, meaning, oneOf, required, text } from '#http/params.ts';

const MIN_INT = -2_147_483_648n;

/** A name in other languages. */
export const translations = members({ ko: text(50), en: text(50), zh: text(50) });

const field = members({
  name: required(text(50)),
  display_name: text(50),
  display_name_trans: json({}, translations),
  type: required(oneOf(SCHEMA_TYPES)),
  ordinal: int(MIN_INT),
});

const EXAMPLE = [{ name: 'src_ip', display_name: 'Source', type: 'IP', ordinal: 1 }];

const fieldsSchema = {
  items: { type: 'object' },
  $comment: 'Each item is `{name, display_name, display_name_trans, type, ordinal}`; `name` and `type` are required.',
  examples: [EXAMPLE],
};

export const schemaFields = meaning(array(fieldsSchema, field), {}, (given, name) => {
  const seen = new Set<string>();
  for (const { name: one } of given) {
    if (seen.has(one)) throw duplicatedMember(name, one);
    seen.add(one);
  }
  return given;
});
