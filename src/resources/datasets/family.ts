// A dataset: a stored query for rules and users. Visible to its owner, to grantees and to administrators.

import { type Field, family } from '#objects/families/family.ts';
import { allowEmpty, computed, json, named, nameOf, plain, shared } from '#objects/families/fields.ts';
import { mayChangeOwned, ownOrGranted, requireOwnedQuota } from '#objects/families/owned.ts';
import { anyJson as anyJsonShape, guidText, optional } from '#operations/answers/shapes.ts';
import { grants, json as jsonParam } from '#operations/params/json-params.ts';
import { anyText, required } from '#operations/params/params.ts';
import { exists } from '#store/rows/resolve.ts';
import type { DatasetRow } from '#store/schema/schema.ts';

const PATH = 'datasets';

const query = {
  ...anyText,
  schema: { ...anyText.schema, examples: ['table duration=1h web | stats count by status'] },
};

const anyJson = jsonParam({ $comment: 'Any JSON value.' }, (value) => value);

export const datasets = family({
  path: PATH,
  thing: 'dataset',
  things: 'datasets',
  singular: 'dataset',
  plural: 'datasets',
  table: 'datasets',
  writers: 'MEMBER',
  hasDryRun: true,
  hasQueryText: true,
  fields: {
    ...named,
    query: plain(required(query)),
    pivot: json(anyJson, optional(anyJsonShape)) satisfies Field,
    shared_users: shared('user', allowEmpty(grants)),
    shared_groups: shared('group', allowEmpty(grants)),
  },
  derived: {
    owner_guid: computed(guidText, ({ owner_guid }: DatasetRow) => owner_guid),
    owner_name: nameOf('user', 'owner_guid'),
    query_user_guid: computed(guidText, ({ query_user_guid }: DatasetRow) => query_user_guid),
    query_user_name: nameOf('user', 'query_user_guid'),
  },
  meanings: {
    query: 'Text of the query.',
    pivot: 'Value that the client stores with the dataset.',
    shared_users: 'Users that the dataset is shared with.',
    shared_groups: 'User groups that the dataset is shared with.',
    owner_guid: 'GUID of the user that owns the dataset.',
    owner_name: 'Name of the owner; null where that user has been removed.',
    query_user_guid: 'GUID of the user that last changed the query; batch rules run it with the rights of this user.',
    query_user_name: 'Name of that user; null where the user has been removed.',
  },
  notes: {
    list:
      'A MEMBER sees its own and those shared with it or its groups, an administrator all. `owner_name` of a ' +
      'removed user is null.',
    get: 'Grants are shown as far as their holders are.',
    create:
      'The query is checked with the rights of the caller, who becomes the owner. Other wrong parameters are ' +
      'reported before errors of the query.',
    update:
      'Changed by its owner, by accounts it is shared with for writing, and by administrators; others that see it ' +
      'get `no-permission`. The owner stays. An account that changes the query becomes its author, with whose ' +
      'rights batch rules run it. Given grants replace those to holders that the caller may see.',
  },
  visibleTo(rows, caller, db) {
    const visible = ownOrGranted(PATH, caller, db);
    return visible ? rows.where(visible) : rows;
  },
  mayChange: (row, call) => mayChangeOwned(PATH, row, call),
  async prepare(given, { queries, caller }) {
    return await queries.validateStored({ caller, text: given.query });
  },
  async columns({ query }, { before, call: { db, caller } }) {
    const isKept = before?.query === query && (await exists(db, 'user', before.query_user_guid));
    return isKept ? {} : { query_user_guid: caller.userGuid };
  },
  async initialColumns(_, { call: { db, caller, quotas } }) {
    await requireOwnedQuota(db, PATH, caller, quotas.datasetsPerAccount);
    return { owner_guid: caller.userGuid };
  },
});
