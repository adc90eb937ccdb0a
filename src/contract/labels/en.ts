// The audit catalogue in English: categories by module, actions by `module.method`. Messages fill their holes from an
// entry's msg_params and params. The other languages are checked against this one by their type.

export const en = {
  results: { succeeded: 'Success', failed: 'Failure' },
  categories: {
    'audit-logs': 'Audit log',
    auth: 'Authentication',
    companies: 'Companies',
    'logger-models': 'Logger models',
    loggers: 'Loggers',
    parsers: 'Parsers',
    query: 'Query',
    'log-schemas': 'Log schemas',
    service: 'Service',
    'table-groups': 'Table groups',
    tables: 'Tables',
    'upload-streams': 'Uploads',
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
    'logger-models.create': { label: 'Create logger model', message: 'Creation of logger model {name}' },
    'logger-models.read': { label: 'Read logger models', message: 'Reading of logger models' },
    'logger-models.remove': { label: 'Remove logger models', message: 'Removal of logger models {guids}' },
    'logger-models.update': { label: 'Update logger model', message: 'Update of logger model {name} ({guid})' },
    'loggers.create': { label: 'Create logger', message: 'Creation of logger {name} for table {table_name}' },
    'loggers.disable': { label: 'Disable logger', message: 'Stop of logger {guid}' },
    'loggers.enable': { label: 'Enable logger', message: 'Start of logger {guid}' },
    'loggers.push': { label: 'Push logs', message: 'Push of logs' },
    'loggers.read': { label: 'Read loggers', message: 'Reading of loggers' },
    'loggers.remove': { label: 'Remove loggers', message: 'Removal of loggers {guids}' },
    'loggers.update': { label: 'Update logger', message: 'Update of logger {name} ({guid})' },
    'parsers.read': { label: 'Read parsers', message: 'Reading of parsers' },
    'query.read': { label: 'Read query', message: 'Reading of a query' },
    'query.run': { label: 'Run query', message: 'Run of query {q}' },
    'log-schemas.create': { label: 'Create log schema', message: 'Creation of log schema {code}' },
    'log-schemas.read': { label: 'Read log schemas', message: 'Reading of log schemas' },
    'log-schemas.remove': { label: 'Remove log schemas', message: 'Removal of log schemas {codes}' },
    'log-schemas.update': { label: 'Update log schema', message: 'Update of log schema {code}' },
    'service.install': { label: 'Install service', message: 'First start, with account {login}' },
    'table-groups.create': { label: 'Create table group', message: 'Creation of table group {name}' },
    'table-groups.read': { label: 'Read table groups', message: 'Reading of table groups' },
    'table-groups.remove': { label: 'Remove table groups', message: 'Removal of table groups {guids}' },
    'table-groups.update': { label: 'Update table group', message: 'Update of table group {name} ({guid})' },
    'tables.create': { label: 'Create table', message: 'Creation of table {table}' },
    'tables.read': { label: 'Read tables', message: 'Reading of tables' },
    'tables.remove': { label: 'Drop table', message: 'Removal of table {table}' },
    'tables.remove-partitions': {
      label: 'Remove partitions',
      message: 'Removal of the days {start} to {end} of table {table}',
    },
    'tables.retain': { label: 'Set retention', message: 'Retention of {period} days for table {table}' },
    'tables.update': { label: 'Update table', message: 'Update of table {table}' },
    'upload-streams.cancel': {
      label: 'Cancel upload',
      message: 'Cancellation of the upload of {file_name} into table {table}',
    },
    'upload-streams.create': { label: 'Open upload', message: 'Upload of {file_name} into table {table}' },
    'upload-streams.read': { label: 'Read uploads', message: 'Reading of uploads' },
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
