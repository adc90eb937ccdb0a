// A stored lookup: rows that queries join by a key. Readable by all members unless it is restricted.

import { visibleLookups } from '#access/rights/lookup-rights.ts';
import {
  duplicatedMember,
  keyNotAmongColumns,
  notOneOf,
  tooLong,
  tooManyItems,
  wrongLookupName,
} from '#contract/errors.ts';
import { family } from '#objects/families/family.ts';
import { computed, flagField, json, nameOf, plain, sharedGroups, sharedUsers } from '#objects/families/fields.ts';
import { arrayOf, guidText, int32, string } from '#operations/answers/shapes.ts';
import { alongside, flag, meaning, orElse, required, text, textLike, words } from '#operations/params/params.ts';
import { fileColumns } from '#queries/lookups/lookup-version.ts';
import { GEOIP, MAX_LOOKUP_COLUMNS, MAX_LOOKUP_NAME, PLAIN_LOOKUP_NAME } from '#query/model/lookups.ts';
import type { LookupRow } from '#store/schema/schema.ts';

const MAX_COLUMN_NAME = 255;

/** What stands in a query without quotes, and is no built-in lookup. */
const name = meaning(
  textLike(MAX_LOOKUP_NAME, PLAIN_LOOKUP_NAME, (value) => wrongLookupName('name', value)),
  { examples: ['users'] },
  (value) => {
    if (value === GEOIP.name) throw wrongLookupName('name', value);
    return value;
  },
);

const columns = meaning(
  words,
  { minItems: 1, maxItems: MAX_LOOKUP_COLUMNS, examples: [['user', 'dept']] },
  (given, param) => {
    const names = given.map((column) => column.normalize());
    if (names.length > MAX_LOOKUP_COLUMNS) throw tooManyItems(param, MAX_LOOKUP_COLUMNS);
    if (names.some((column) => [...column].length > MAX_COLUMN_NAME)) throw tooLong(param, MAX_COLUMN_NAME);
    const twice = names.find((column, at) => names.indexOf(column) !== at);
    if (twice !== undefined) throw duplicatedMember(param, twice);
    return names;
  },
);

const key = meaning(text(50), { examples: ['user'] }, (value) => value.normalize());

/** A new lookup names its key before. */
const keyed = alongside(required(columns), (names, { key: own }) => {
  if (typeof own === 'string' && !names.includes(own)) throw notOneOf('key', names);
});

const columnNames = arrayOf(string);

// Apart from the call, in which their types would be lost.
const fields = {
  name: plain(required(name)),
  description: plain(text(2000)),
  columns: json(keyed, columnNames),
  restricted: flagField(orElse(flag, false)),
  shared_users: sharedUsers,
  shared_groups: sharedGroups,
};

const newFields = { key: plain(required(key)) };

export const lookups = family({
  path: 'lookups',
  thing: 'lookup',
  things: 'lookups',
  singular: 'lookup',
  plural: 'lookups',
  table: 'lookups',
  hasDryRun: true,
  fields,
  newFields,
  newFieldsAfter: 'description',
  derived: {
    row_count: computed(int32, ({ row_count }: LookupRow) => row_count),
    version: computed(int32, ({ version }: LookupRow) => version),
    owner_guid: computed(guidText, ({ owner_guid }: LookupRow) => owner_guid),
    owner_name: nameOf('user', 'owner_guid'),
  },
  meanings: {
    name: 'Name of the lookup in queries: letters, digits, `_` and `-`.',
    columns: 'Names of the columns, the key among them.',
    restricted: 'Whether members need a grant to read the lookup.',
    shared_users: 'Users that the lookup is shared with.',
    shared_groups: 'User groups that the lookup is shared with.',
    key: 'Column whose values are unique; queries look rows up by it.',
    row_count: 'Number of rows.',
    version: 'Number that rises with each load of rows.',
    owner_guid: 'GUID of the user that owns the lookup.',
    owner_name: 'Name of the owner; null where that user has been removed.',
  },
  notes: {
    list: 'A MEMBER sees those that are not restricted, its own, and restricted ones shared with it or its groups.',
    create:
      'The lookup has no rows: they come by `PUT /lookups/:guid/rows`, by an upload, or by `outputlookup`. `name` ' +
      "other than letters, digits, `_` and `-`, and `geoip`, are `'name' cannot be used in a query: <value>`. " +
      '`key` is one of `columns`. The caller becomes the owner.',
    update:
      'Rows stay: a column that is left out loses its values, a new one is null in every row. The key stays and ' +
      'must be among `columns`.',
    remove: 'With `dry_run=true` nothing is removed, and `references` names the texts that name the lookup.',
  },
  visibleTo: visibleLookups,
  permit(given, { before }) {
    const names = given.columns;
    if (before && !names.includes(before.key)) throw keyNotAmongColumns(before.key);
  },
  columns(given, { before }) {
    if (!before) return {};
    const kept = new Set(given.columns);
    const left = fileColumns(before).map(({ name: own, type }) => ({
      name: own !== null && kept.has(own) ? own : null,
      type,
    }));
    return { file_columns: JSON.stringify(left) };
  },
  initialColumns: (_, { call: { caller } }) => ({
    owner_guid: caller.userGuid,
    row_count: 0,
    version: 0,
    size: 0,
    file: null,
    file_columns: '[]',
  }),
  async beforeRemove(row, { afterCommit, storedLookups }) {
    const { file } = row;
    if (file !== null) afterCommit(() => storedLookups.retire(file));
  },
});
