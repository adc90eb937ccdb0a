// A procedure: a stored query with parameters that `proc` runs with the rights of its owner.

import { visibleProcedures } from '#access/rights/procedure-rights.ts';
import { duplicatedMember, uncallableName, unusableCommandName, wrongParameterKey } from '#contract/errors.ts';
import { family } from '#objects/families/family.ts';
import {
  computed,
  flagCodec,
  flagField,
  granted,
  holders,
  json,
  named,
  nameOf,
  plain,
} from '#objects/families/fields.ts';
import { arrayOf, boolean, choice, guidText, optional, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { array, members } from '#operations/params/json-params.ts';
import { anyText, flag, meaning, oneOf, orElse, required, text, textLike } from '#operations/params/params.ts';
import { isCallable } from '#query/language/procedure-names.ts';
import { PROCEDURE_TYPES } from '#query/model/values.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { ProcedureRow } from '#store/schema/schema.ts';

/** Names that start with an underscore are reserved. */
const KEY = /^[^_]/;

const parameter = members({
  key: required(textLike(50, KEY, wrongParameterKey), 'Name by which the query reads the parameter.'),
  name: described(text(255), 'Name of the parameter, for people.', 'Least status'),
  description: described(text(2000), 'Meaning of the parameter.', 'Rows below are left out.'),
  type: required(oneOf(PROCEDURE_TYPES), 'Type of the values.'),
});

const schema = {
  $comment: '`$("key")` in the query reads the value.',
  examples: [[{ key: 'least', name: 'Least status', type: 'long' }]],
};

const parameters = meaning(array(schema, parameter), {}, (given, name) => {
  const keys = given.map(({ key }) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw duplicatedMember(name, twice);
  return given;
});

const name = meaning(text(255), {}, (given) => {
  if (!isCallable(given)) throw uncallableName(given);
  return given;
});

const query = {
  ...anyText,
  schema: { ...anyText.schema, examples: ['table duration=1h web | search status >= $("least")'] },
};

const parameterRecords = arrayOf(
  record({
    key: string('Name by which the query reads the parameter.', 'least'),
    name: optional(string('Name of the parameter, for people.', 'Least status')),
    description: optional(string('Description of the parameter, for people.', 'Lowest status that counts.')),
    type: choice(PROCEDURE_TYPES)('Type of the values.', 'long'),
  }),
);
const holderRecords = arrayOf(
  record({
    guid: guidText('GUID of the user or user group.'),
    name: string('Name of the user or user group.', 'Operators'),
  }),
);

async function requireCommandName(given: string): Promise<void> {
  // Imported on demand: it loads the whole language.
  const { mayBeCommand } = await import('#query/command-names.ts');
  if (!mayBeCommand(given)) throw unusableCommandName(given);
}

export const procedures = family({
  path: 'procedures',
  thing: 'procedure',
  things: 'procedures',
  singular: 'procedure',
  plural: 'procedures',
  table: 'procedures',
  hasDryRun: true,
  hasQueryText: true,
  fields: {
    ...named,
    name: plain(required(name)),
    query: plain(required(query)),
    parameters: {
      ...json(parameters, parameterRecords),
      show: async (rows) => rows.map((row) => JSON.parse(String(row.parameters ?? '[]'))),
    },
    company_public: flagField(orElse(flag, false)),
    granted_user_guids: granted('user'),
    granted_group_guids: granted('group'),
    command: { reader: flag, column: flagCodec, shape: boolean },
  },
  filters: { command: described(flag, 'Only those that are commands of the query language, or only the others.') },
  derived: {
    owner_guid: computed(guidText, ({ owner_guid }: ProcedureRow) => owner_guid),
    owner_name: nameOf('user', 'owner_guid'),
    owner_login_name: {
      shape: orNull(string),
      async of(rows, { db }) {
        const owners = await inChunks(
          rows.map(({ owner_guid }) => owner_guid),
          (some) =>
            db
              .selectFrom('users')
              .select(['guid', 'login'])
              .where('guid', 'in', [...some])
              .execute(),
        );
        const logins = new Map(owners.map(({ guid, login }) => [guid, login]));
        return rows.map(({ owner_guid }) => logins.get(owner_guid) ?? null);
      },
    },
    granted_users: holders('user', holderRecords),
    granted_groups: holders('group', holderRecords),
  },
  meanings: {
    query: 'Text of the query; `$("key")` in it reads a parameter.',
    parameters: 'Parameters of the procedure.',
    company_public: 'Whether every user of the owner’s company may run the procedure.',
    granted_user_guids: 'GUIDs of the users that may run the procedure.',
    granted_group_guids: 'GUIDs of the user groups that may run the procedure.',
    command:
      'Whether its name is a command of the query language: `busy 400` runs the procedure `busy`. Absent in an update it stays.',
    owner_guid: 'GUID of the user that owns the procedure; it runs with the rights of this user.',
    owner_name: 'Name of the owner; null where that user has been removed.',
    owner_login_name: 'Login name of the owner; null where that user has been removed.',
    granted_users: 'Users that may run the procedure.',
    granted_groups: 'User groups that may run the procedure.',
  },
  notes: {
    list:
      'A MEMBER sees the public ones of its company and those granted to it or its groups, and may call them. A ' +
      'public procedure belongs to the company of its owner at creation. The lists of guids are shown where one ' +
      'procedure is read.',
    create:
      'The name is that by which queries call it, without quotation marks, backslashes and control characters. ' +
      'The query is checked with the rights of the caller, who becomes the owner; it runs with the owner’s ' +
      'rights. Parameters have `key` (at most 50 characters, no underscore in front, no key twice) and `type`; ' +
      'they have no values during the check. With `command` the name is a word of the query language, too: it begins ' +
      'with a letter, has letters, digits, `_` and `-`, at most 50, and no command or keyword of the language has it.',
    update:
      'The query is checked with the rights of the caller. An account that changes the query becomes the owner, with whose ' +
      'rights it runs; with the same text the owner stays.',
  },
  visibleTo: visibleProcedures,
  async prepare(given, { queries, caller }) {
    if (given.command) await requireCommandName(given.name);
    const known = (given.parameters ?? []).map(({ key, type }) => ({ name: key, type }));
    return await queries.validateStored({ caller, text: given.query, parameters: known });
  },
  async columns({ name: given, query, command }, { before, call: { caller } }) {
    const isKept = before?.command === 1 && command === undefined;
    if (isKept && before.name !== given) await requireCommandName(given);
    return {
      ...(before && before.query !== query ? { owner_guid: caller.userGuid } : {}),
      command: isKept || command ? 1 : 0,
    };
  },
  initialColumns: (_, { call: { caller } }) => ({ owner_guid: caller.userGuid, company_guid: caller.companyGuid }),
});
