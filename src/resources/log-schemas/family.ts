// A log schema: the fields that normalised logs of one kind have. It is known by its code, which logs carry.

import { json as jsonParam } from '#http/json-params.ts';
import { required, text } from '#http/params.ts';
import { arrayOf, int32, map, optional, record, string } from '#http/shapes.ts';
import { family } from '#objects/family.ts';
import { json, plain } from '#objects/fields.ts';
import { schemaFields, translations } from './fields.ts';

const nameTrans = jsonParam({ type: 'object', $comment: 'Keys: `ko`, `en`, `zh`.' }, translations);

const fieldRecords = arrayOf(
  record({
    name: string('Name of the field.', 'src_ip'),
    display_name: optional(string('Name of the field for people.', 'Source')),
    display_name_trans: optional(map('Display name in other languages.', { ko: '\ucd9c\ubc1c\uc9c0' })),
    type: string('Type of the values.', 'IP'),
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
    name_trans: json(nameTrans, optional(map)),
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
