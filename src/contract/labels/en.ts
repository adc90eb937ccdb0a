// The audit catalogue in English: categories by module, actions by `module.method`. Messages fill their holes from an
// entry's msg_params and params. The other languages are checked against this one by their type.

export const en = {
  results: { succeeded: 'Success', failed: 'Failure' },
  categories: {
    'audit-logs': 'Audit log',
    auth: 'Authentication',
    companies: 'Companies',
    service: 'Service',
    'user-groups': 'User groups',
    users: 'Users',
  },
  actions: {
    'audit-logs.export': { label: 'Export audit log', message: 'Export of the audit log' },
    'audit-logs.proof': { label: 'Prove audit log', message: 'Proof of the audit log' },
    'audit-logs.read': { label: 'Read audit log', message: 'Reading of the audit log' },
    'auth.login': { label: 'Log in', message: 'Login of {login}' },
    'auth.logout': { label: 'Log out', message: 'Logout of {login}' },
    'auth.refuse': { label: 'Refuse access', message: '{count} request(s) with no valid key' },
    'companies.create': { label: 'Create company', message: 'Creation of company {name}' },
    'companies.read': { label: 'Read companies', message: 'Reading of companies' },
    'companies.remove': { label: 'Remove companies', message: 'Removal of companies {guids}' },
    'companies.update': { label: 'Update company', message: 'Update of company {name} ({guid})' },
    'service.install': { label: 'Install service', message: 'First start, with account {login}' },
    'user-groups.create': { label: 'Create user group', message: 'Creation of user group {name}' },
    'user-groups.read': { label: 'Read user groups', message: 'Reading of user groups' },
    'user-groups.remove': { label: 'Remove user groups', message: 'Removal of user groups {guids}' },
    'user-groups.update': { label: 'Update user group', message: 'Update of user group {name} ({guid})' },
    'users.create': { label: 'Create user', message: 'Creation of user {login}' },
    'users.create-api-key': { label: 'Create API key', message: 'Creation of API key {name} for user {guid}' },
    'users.read': { label: 'Read users', message: 'Reading of users' },
    'users.remove': { label: 'Remove users', message: 'Removal of users {guids}' },
    'users.remove-api-key': { label: 'Revoke API key', message: 'Revocation of API key {key_guid} of user {guid}' },
    'users.reset-master': { label: 'Reset master key', message: 'New key for account {login}, set on the data folder' },
    'users.update': { label: 'Update user', message: 'Update of user {guid}' },
  },
} as const;

export type Category = keyof typeof en.categories;
export type ActionCode = keyof typeof en.actions;

export interface Labels {
  readonly results: { readonly succeeded: string; readonly failed: string };
  readonly categories: Readonly<Record<Category, string>>;
  readonly actions: Readonly<Record<ActionCode, { readonly label: string; readonly message: string }>>;
}
