// Readers of the fields of a log schema.

import { duplicatedMember } from '#contract/errors.ts';
import { SCHEMA_TYPES } from '#contract/values.ts';
import { optional, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { array, json, members } from '#operations/params/json-params.ts';
import { int, meaning, oneOf, required, text } from '#operations/params/params.ts';

const MIN_INT = -2_147_483_648n;

/** A name in other languages. */
export const translations = members({
  ko: described(text(50), 'Name in Korean.', '출발지'),
  en: described(text(50), 'Name in English.', 'Source'),
  zh: described(text(50), 'Name in Chinese.', '来源'),
});

export const translationRecord = record('Translations', {
  ko: optional(string('Name in Korean.', '출발지')),
  en: optional(string('Name in English.', 'Source')),
  zh: optional(string('Name in Chinese.', '来源')),
});

const field = members({
  name: required(text(50), 'Name of the field.'),
  display_name: described(text(50), 'Name of the field for people.', 'Source'),
  display_name_trans: described(json(translations.schema, translations), 'Display name in other languages.'),
  type: required(oneOf(SCHEMA_TYPES), 'Type of the values.'),
  ordinal: described(int(MIN_INT), 'Position among the fields.', 1),
});

const EXAMPLE = [{ name: 'src_ip', display_name: 'Source', type: 'IP', ordinal: 1 }];

const fieldsSchema = {
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
