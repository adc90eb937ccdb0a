// An address group: a set of addresses and networks for queries and rules.

import { family } from '#objects/families/family.ts';
import { computed, plain } from '#objects/families/fields.ts';
import { int32 } from '#operations/answers/shapes.ts';
import { required, text } from '#operations/params/params.ts';
import type { AddressGroupRow } from '#store/schema/schema.ts';
import { countsOf } from './store.ts';

export const addressGroups = family({
  path: 'address-groups',
  thing: 'address group',
  things: 'address groups',
  singular: 'address_group',
  plural: 'address_groups',
  table: 'address_groups',
  hasDryRun: true,
  fields: { name: plain(required(text(50))), description: plain(text(2000)) },
  derived: {
    count: {
      shape: int32,
      of: (rows, { db, now }) =>
        countsOf(
          db,
          rows.map(({ guid }) => guid),
          now,
        ),
    },
    version: computed(int32, ({ version }: AddressGroupRow) => version),
  },
  meanings: {
    count: 'Number of addresses and networks in the group now.',
    version: 'Number that rises with every call that changes the addresses.',
  },
  notes: {
    list:
      '`count` is the number of current addresses; `version` rises with every call that changes addresses, not ' +
      'with expiry: a cached group must look at `expires_at`. Addresses do not change `updated`. `country` is ' +
      'null.',
    remove: 'Its addresses go with it.',
  },
  initialColumns: () => ({ version: 0 }),
  isNeededByRules: true,
});
