// Records of other families that fields of a form refer to.

import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import type { Option } from '#console/components/forms/form-field.ts';
import { isAtLeast } from '#contract/values.ts';

export type OptionSource = 'users' | 'groups' | 'companies' | 'schemas' | 'parsers' | 'table-groups' | 'logger-groups';
export type Options = Readonly<Record<OptionSource, readonly Option[]>>;

/** Those that are needed and that the account may read; empty until they are there. */
export function useOptions(needs: readonly OptionSource[]): Options {
  const { role_name } = useAccount();
  const isNeeded = (source: OptionSource) => ({ isEnabled: needs.includes(source) });
  const users = useAnswer('GET /api/core/users', {}, isNeeded('users'));
  const groups = useAnswer('GET /api/core/user-groups', {}, isNeeded('groups'));
  const isMaster = isAtLeast(role_name, 'MASTER');
  const companies = useAnswer('GET /api/core/companies', {}, { isEnabled: isMaster && needs.includes('companies') });
  const schemas = useAnswer('GET /api/core/log-schemas', {}, isNeeded('schemas'));
  const parsers = useAnswer('GET /api/core/parsers', {}, isNeeded('parsers'));
  const tableGroups = useAnswer('GET /api/core/table-groups', {}, isNeeded('table-groups'));
  const loggerGroups = useAnswer('GET /api/core/logger-groups', {}, isNeeded('logger-groups'));
  return {
    users: users.data?.users.map(({ guid, name, login }) => ({ value: guid, label: `${name} (${login})` })) ?? [],
    groups: groups.data?.user_groups.map(({ guid, name }) => ({ value: guid, label: name })) ?? [],
    companies: companies.data?.companies.map(({ guid, name }) => ({ value: guid, label: name })) ?? [],
    schemas: schemas.data?.schemas.map(({ code, name }) => ({ value: code, label: name })) ?? [],
    parsers: parsers.data?.parsers.map(({ code, name }) => ({ value: code, label: name })) ?? [],
    'table-groups': tableGroups.data?.table_groups.map(({ guid, name }) => ({ value: guid, label: name })) ?? [],
    'logger-groups': loggerGroups.data?.logger_groups.map(({ guid, name }) => ({ value: guid, label: name })) ?? [],
  };
}
