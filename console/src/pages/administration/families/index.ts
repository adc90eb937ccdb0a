// The families of the administration, in the order of the page.

import type { AnyFamily } from '#console/pages/administration/family.ts';
import { addressGroups } from './address-groups.tsx';
import { alarmGroups } from './alarm-groups.tsx';
import { companies } from './companies.tsx';
import { connectionProfiles } from './connection-profiles.tsx';
import { cryptoProfiles } from './crypto-profiles.tsx';
import { groups } from './groups.tsx';
import { keys } from './keys.tsx';
import { lookups } from './lookups.tsx';
import { parsers } from './parsers.tsx';
import { queries } from './queries.tsx';
import { settings } from './settings.tsx';
import { users } from './users.tsx';

export const families: readonly AnyFamily[] = [
  users,
  groups,
  companies,
  keys,
  addressGroups,
  alarmGroups,
  cryptoProfiles,
  connectionProfiles,
  lookups,
  parsers,
  queries,
  settings,
];
