// Users: accounts with a role, in a company. Their keys are managed in the panel.

import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { defineFamily, type FormContext, listed } from '#console/pages/administration/family.ts';
import { isAtLeast, LOCALES, type Locale, ROLES, type Role } from '#contract/values.ts';
import { mayChangeUser, type User } from './user.ts';
import { UserActions, UserParts } from './user-actions.tsx';
import { NAME_WIDTH, Texts, timeValues } from './values.tsx';

interface Draft {
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly title: string;
  readonly dept: string;
  readonly phone: string;
  readonly mobile: string;
  readonly email: string;
  readonly locale: Locale;
  readonly time_zone: string;
  readonly company_guid: string;
  readonly user_group_guids: readonly string[];
  readonly trust_hosts: readonly string[];
  readonly idle_timeout: number | undefined;
}

const TEXTS = ['title', 'dept', 'phone', 'mobile', 'email'] as const;
const IDLE_SECONDS = 3600;

export const users = defineFamily<User, User, Draft>({
  id: 'users',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['groups', 'companies'],
  list: listed('GET /api/core/users', (answer) => answer.users),
  get: async (guid) => (await call('GET /api/core/users/:guid', { guid })).user,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  mayChange: mayChangeUser,
  values(context) {
    const { users: labels, company } = context.labels.administration;
    const { roles, common } = context.labels;
    return [
      {
        id: 'login',
        label: labels.login,
        width: NAME_WIDTH,
        show: ({ login }) => login,
        sortValue: ({ login }) => login,
      },
      { id: 'name', label: labels.name, width: NAME_WIDTH, show: ({ name }) => name, sortValue: ({ name }) => name },
      {
        id: 'role',
        label: labels.role,
        width: '8.5rem',
        show: ({ role_name }) => (
          <StatusBadge tone={role_name === 'MEMBER' ? 'neutral' : 'accent'}>{roles[role_name]}</StatusBadge>
        ),
        sortValue: ({ role_id }) => role_id,
      },
      {
        id: 'has_api_key',
        label: labels.hasKey,
        width: '6rem',
        show: ({ has_api_key }) => (has_api_key ? common.yes : common.no),
      },
      { id: 'company', label: company, width: NAME_WIDTH, show: ({ company_name }) => company_name },
      { id: 'time_zone', label: labels.timeZone, width: '10rem', show: ({ time_zone }) => time_zone },
      ...timeValues<User>(context),
    ];
  },
  facts({ labels }) {
    const { users: names } = labels.administration;
    return [
      ...TEXTS.map((id) => ({ id, label: names[id], show: (user: User) => user[id] })),
      { id: 'locale', label: names.locale, show: ({ locale }) => names.locales[locale] },
      { id: 'idle_timeout', label: names.idleTimeout, show: ({ idle_timeout }) => String(idle_timeout) },
      {
        id: 'trust_hosts',
        label: names.trustHosts,
        show: ({ trust_hosts }) => trust_hosts.length > 0 && <Texts texts={trust_hosts} />,
      },
    ];
  },
  fields,
  draftOf,
  create: async (draft) => ({ key: (await call('POST /api/core/users', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/users/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/users', { guids, dry_run: isDryRun }),
  hasDryRun: true,
  Actions: UserActions,
  Below: UserParts,
});

function fields({ labels, options, account }: FormContext): readonly FormField<Draft>[] {
  const { users: names, company } = labels.administration;
  const roles = ROLES.filter((role) => isAtLeast(account.role_name, role));
  return [
    { kind: 'text', name: 'login', label: names.login, isRequired: true, maxLength: 50 },
    { kind: 'text', name: 'name', label: names.name, isRequired: true, maxLength: 255 },
    {
      kind: 'choice',
      name: 'role',
      label: names.role,
      options: roles.map((value) => ({ value, label: labels.roles[value] })),
    },
    {
      kind: 'text',
      name: 'time_zone',
      label: names.timeZone,
      hint: names.timeZoneHint,
      suggestions: Intl.supportedValuesOf('timeZone'),
    },
    {
      kind: 'choice',
      name: 'locale',
      label: names.locale,
      options: LOCALES.map((value) => ({ value, label: names.locales[value] })),
    },
    {
      kind: 'choice',
      name: 'company_guid',
      label: company,
      options: options.companies,
      noneLabel: labels.administration.ownCompany,
      isShown: () => account.role_name === 'MASTER',
    },
    { kind: 'choices', name: 'user_group_guids', label: names.groups, options: options.groups },
    ...TEXTS.map((name): FormField<Draft> => ({ kind: 'text', name, label: names[name], maxLength: 255 })),
    {
      kind: 'texts',
      name: 'trust_hosts',
      label: names.trustHosts,
      hint: names.trustHostsHint,
      placeholder: '10.0.0.0/8',
    },
    { kind: 'number', name: 'idle_timeout', label: names.idleTimeout, min: 60, max: 86_400 },
  ];
}

function draftOf(user: User | undefined): Draft {
  return {
    login: user?.login ?? '',
    name: user?.name ?? '',
    role: user?.role_name ?? 'MEMBER',
    title: user?.title ?? '',
    dept: user?.dept ?? '',
    phone: user?.phone ?? '',
    mobile: user?.mobile ?? '',
    email: user?.email ?? '',
    locale: user?.locale ?? 'en',
    time_zone: user?.time_zone ?? '',
    company_guid: user?.company_guid ?? '',
    user_group_guids: user?.user_group_guids ?? [],
    trust_hosts: user?.trust_hosts ?? [],
    idle_timeout: user?.idle_timeout ?? IDLE_SECONDS,
  };
}

/** Empty values are absent: what is not given stays as it is. */
function bodyOf({ login, name, role, locale, user_group_guids, trust_hosts, ...optional }: Draft) {
  return { login, name, role, locale, user_group_guids, trust_hosts, ...present(optional) };
}
