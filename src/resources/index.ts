// The list of all operations below /api/core: adding one means adding it here.

import { create as createApiKey } from './api-keys/create.ts';
import { list as listApiKeys } from './api-keys/list.ts';
import { remove as removeApiKey } from './api-keys/remove.ts';
import { exportLogs as exportAuditLogs } from './audit-logs/export.ts';
import { list as listAuditLogs } from './audit-logs/list.ts';
import { proof as proveAuditLogs } from './audit-logs/proof.ts';
import { create as createCompany } from './companies/create.ts';
import { get as getCompany } from './companies/get.ts';
import { list as listCompanies } from './companies/list.ts';
import { remove as removeCompanies } from './companies/remove.ts';
import { update as updateCompany } from './companies/update.ts';
import { health } from './service/health.ts';
import { metricsFor } from './service/metrics.ts';
import { ready } from './service/ready.ts';
import { docs, openapi } from './service/reference.ts';
import { create as createSession } from './sessions/create.ts';
import { remove as removeSession } from './sessions/remove.ts';
import { create as createUserGroup } from './user-groups/create.ts';
import { get as getUserGroup } from './user-groups/get.ts';
import { list as listUserGroups } from './user-groups/list.ts';
import { remove as removeUserGroups } from './user-groups/remove.ts';
import { update as updateUserGroup } from './user-groups/update.ts';
import { create as createUser } from './users/create.ts';
import { get as getUser } from './users/get.ts';
import { list as listUsers } from './users/list.ts';
import { remove as removeUsers } from './users/remove.ts';
import { update as updateUser } from './users/update.ts';

export const operations = [
  listAuditLogs,
  exportAuditLogs,
  proveAuditLogs,
  listUsers,
  getUser,
  createUser,
  updateUser,
  removeUsers,
  listApiKeys,
  createApiKey,
  removeApiKey,
  listUserGroups,
  getUserGroup,
  createUserGroup,
  updateUserGroup,
  removeUserGroups,
  listCompanies,
  getCompany,
  createCompany,
  updateCompany,
  removeCompanies,
  createSession,
  removeSession,
] as const;

/** The service's own operations, at the root. `metrics` says whether everyone may read them. */
export const ownOperations = (metrics: 'open' | 'closed') =>
  [health, ready, metricsFor(metrics === 'open' ? 'none' : 'ADMIN'), openapi, docs] as const;
