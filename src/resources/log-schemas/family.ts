// A log schema: the fields of normalised logs of one kind, identified by a code.

import { SCHEMA_TYPES } from '#contract/values.ts';
import { family } from '#objects/families/family.ts';
import { json, plain } from '#objects/families/fields.ts';
import { arrayOf, choice, int32, optional, record, string } from '#operations/answers/shapes.ts';
import { json as jsonParam } from '#operations/params/json-params.ts';
import { required, text } from '#operations/params/params.ts';
import { schemaFields, translationRecord, translations } from './fields.ts';

const nameTrans = jsonParam(translations.schema, translations);

const fieldRecords = arrayOf(
  record({
    name: string('Name of the field.', 'src_ip'),
    display_name: optional(string('Name of the field for people.', 'Source')),
    display_name_trans: optional(translationRecord('Display name in other languages.')),
    type: choice(SCHEMA_TYPES)('Type of the values.', 'IP'),
    ordinal: optional(int32('Position among the fields.')),
  }),
);

export const logSchemas = family({
  path: 'log-schemas',
  thing: 'log schema',
  things: 'log schemas',
  singular: 'schema',
  plural: 'schemas',
  table: 'log_schemas',
  key: 'code',
  hasDryRun: true,
  isNeededByRules: true,
  fields: {
    name: plain(required(text(50))),
    name_trans: json(nameTrans, optional(translationRecord)),
    description: plain(text(255)),
    fields: json(required(schemaFields), fieldRecords),
  },
  searched: ['code', 'name', 'description'],
  meanings: {
    name_trans: 'Name in other languages.',
    fields: 'Fields of the logs of this schema.',
  },
  notes: {
    update: 'Replaces: a field that is absent is removed. The code stays.',
    remove:
      'Tables and logger models keep the code of a removed schema. With `dry_run=true` nothing is removed, and `references` names the objects that ' +
      'refer to it; the key of a table, in `guid`, is its name.',
  },
});
