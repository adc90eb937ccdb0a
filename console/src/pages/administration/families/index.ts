// The families of the administration, in the order of the page.

import type { AnyFamily } from '#console/pages/administration/family.ts';
import { addressGroups } from './address-groups.tsx';
import { alarmGroups } from './alarm-groups.tsx';
import { auditCategories } from './audit-categories.tsx';
import { companies } from './companies.tsx';
import { connectionProfiles } from './connection-profiles.tsx';
import { cryptoProfiles } from './crypto-profiles.tsx';
import { datasets } from './datasets.tsx';
import { groups } from './groups.tsx';
import { keys } from './keys.tsx';
import { logSchemas } from './log-schemas.tsx';
import { loggerGroups } from './logger-groups.tsx';
import { loggerModels } from './logger-models.tsx';
import { lookups } from './lookups.tsx';
import { nodes } from './nodes.tsx';
import { parsers } from './parsers.tsx';
import { procedures } from './procedures.tsx';
import { queries } from './queries.tsx';
import { ruleCategories } from './rule-categories.tsx';
import { settings } from './settings.tsx';
import { tableGroups } from './table-groups.tsx';
import { ticketRepos } from './ticket-repos.tsx';
import { users } from './users.tsx';

export const families: readonly AnyFamily[] = [
  users,
  groups,
  companies,
  keys,
  addressGroups,
  alarmGroups,
  ticketRepos,
  ruleCategories,
  auditCategories,
  datasets,
  procedures,
  lookups,
  tableGroups,
  logSchemas,
  parsers,
  loggerModels,
  loggerGroups,
  cryptoProfiles,
  connectionProfiles,
  queries,
  nodes,
  settings,
];
