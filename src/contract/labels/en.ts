// The audit catalogue in English: categories by module, actions by `module.method`. Messages fill their holes from an
// entry's msg_params and params: the first of several names that there is, `given.` from params alone. The other languages are checked against this one by their type.

/** What is done to the objects of a family: the words differ in nothing but its name. */
const familyActions = <const P extends string>(path: P, one: string, many: string) =>
  ({
    [`${path}.create`]: { label: `Create ${one}`, message: `Creation of ${one} {name}` },
    [`${path}.read`]: { label: `Read ${many}`, message: `Reading of ${many}` },
    [`${path}.remove`]: { label: `Remove ${many}`, message: `Removal of ${many} {objects|guids}` },
    [`${path}.update`]: { label: `Update ${one}`, message: `Update of ${one} {name} ({guid})` },
  }) as FamilyActions<P>; // A computed key is any text to the compiler.

/** What else is done to rules of a kind. */
const ruleActions = <const K extends 'batch' | 'stream'>(kind: K) =>
  ({
    ...familyActions(`${kind}-rules`, `${kind} rule`, `${kind} rules`),
    [`${kind}-rules.disable`]: { label: `Disable ${kind} rule`, message: `Stop of ${kind} rule {name|guid}` },
    [`${kind}-rules.enable`]: { label: `Enable ${kind} rule`, message: `Start of ${kind} rule {name|guid}` },
    [`${kind}-rules.restore`]: {
      label: `Restore ${kind} rule`,
      message: `Restoring of version {version} of ${kind} rule {name} ({guid}), which was at version {from_version}`,
    },
  }) as FamilyActions<`${K}-rules`> & RuleActions<K>; // As above.

export type RuleActions<K extends string> = Readonly<
  Record<`${K}-rules.${'disable' | 'enable' | 'restore'}`, { readonly label: string; readonly message: string }>
>;

export type FamilyActions<P extends string> = Readonly<
  Record<`${P}.${'create' | 'read' | 'remove' | 'update'}`, { readonly label: string; readonly message: string }>
>;

export const en = {
  results: { succeeded: 'Success', failed: 'Failure', partial: 'Partial success' },
  additions: {
    new_name: ', now named {new_name}',
    failed: '; failed: {failed}',
    skipped_count: '; left alone: {skipped_count}',
    dry_run: '; only tried, nothing was done',
    count: ', {count} time(s)',
  },
  /** Of a list that is too long for a message. */
  further: 'and {count} more',
  categories: {
    'address-groups': 'Address groups',
    'alarm-groups': 'Alarm groups',
    'audit-categories': 'Audit categories',
    'audit-logs': 'Audit log',
    auth: 'Authentication',
    'batch-rules': 'Batch rules',
    companies: 'Companies',
    'connection-profiles': 'Connection profiles',
    'crypto-profiles': 'Crypto profiles',
    cursors: 'Cursors',
    dashboards: 'Dashboards',
    datasets: 'Datasets',
    events: 'Events',
    'log-schemas': 'Log schemas',
    'logger-groups': 'Logger groups',
    'logger-models': 'Logger models',
    loggers: 'Loggers',
    parsers: 'Parsers',
    lookups: 'Lookups',
    preferences: 'Preferences',
    procedures: 'Procedures',
    queries: 'Queries',
    query: 'Query',
    'rule-categories': 'Rule categories',
    'scheduled-queries': 'Scheduled queries',
    senders: 'Senders',
    service: 'Service',
    nodes: 'Nodes',
    settings: 'Settings',
    'stream-rule-command-templates': 'Condition templates',
    'stream-rules': 'Stream rules',
    'table-groups': 'Table groups',
    tables: 'Tables',
    'ticket-repos': 'Ticket repositories',
    tickets: 'Tickets',
    'upload-streams': 'Uploads',
    'user-groups': 'User groups',
    users: 'Users',
  },
  actions: {
    ...familyActions('companies', 'company', 'companies'),
    ...familyActions('connection-profiles', 'connection profile', 'connection profiles'),
    'connection-profiles.test': { label: 'Test connection', message: 'Test of connection profile {name|guid}' },
    ...familyActions('crypto-profiles', 'crypto profile', 'crypto profiles'),
    ...familyActions('logger-models', 'logger model', 'logger models'),
    ...familyActions('table-groups', 'table group', 'table groups'),
    ...familyActions('user-groups', 'user group', 'user groups'),
    ...familyActions('address-groups', 'address group', 'address groups'),
    ...familyActions('alarm-groups', 'alarm group', 'alarm groups'),
    'alarm-groups.test': { label: 'Test alarm group', message: 'Test of alarm group {name|guid}' },
    ...familyActions('audit-categories', 'audit category', 'audit categories'),
    ...familyActions('dashboards', 'dashboard', 'dashboards'),
    ...familyActions('datasets', 'dataset', 'datasets'),
    ...familyActions('logger-groups', 'logger group', 'logger groups'),
    ...familyActions('lookups', 'lookup', 'lookups'),
    ...familyActions('procedures', 'procedure', 'procedures'),
    ...familyActions('rule-categories', 'rule category', 'rule categories'),
    ...familyActions('ticket-repos', 'ticket repository', 'ticket repositories'),
    ...ruleActions('batch'),
    ...ruleActions('stream'),
    'stream-rule-command-templates.read': {
      label: 'Read condition templates',
      message: 'Reading of condition templates',
    },
    'batch-rules.backfill': {
      label: 'Backfill batch rule',
      message: 'Backfill of batch rule {name|guid} from {from} to {to}',
    },
    'batch-rules.cancel-backfill': {
      label: 'Cancel backfill of batch rule',
      message: 'Cancellation of the backfill of batch rule {name|guid}',
    },
    'batch-rules.run': { label: 'Run batch rule', message: 'Run of batch rule {name|guid}' },
    'address-groups.create-address': {
      label: 'Create address',
      message: 'Creation of address {ip} in address group {group_name|name|guid}',
    },
    'address-groups.remove-addresses': {
      label: 'Remove addresses',
      message: 'Removal of addresses {objects|guids} from address group {name|guid}',
    },
    'audit-logs.export': { label: 'Export audit log', message: 'Export of the audit log' },
    'audit-logs.proof': { label: 'Prove audit log', message: 'Proof of the audit log' },
    'audit-logs.read': { label: 'Read audit log', message: 'Reading of the audit log' },
    'auth.code': { label: 'Create sign-in code', message: 'Sign-in code for {login}' },
    'auth.login': { label: 'Log in', message: 'Login of {login}' },
    'auth.logout': { label: 'Log out', message: 'Logout of {login}' },
    'auth.read': { label: 'Read session', message: 'Reading of a session' },
    'auth.refuse': { label: 'Refuse access', message: '{count} request(s) with no valid key' },
    'cursors.create': { label: 'Open cursor', message: 'Run of query {q}' },
    'cursors.read': { label: 'Read cursor', message: 'Reading of a cursor' },
    'cursors.remove': { label: 'Remove cursor', message: 'Removal of the rows of query {id}' },
    'loggers.create': { label: 'Create logger', message: 'Creation of logger {name} for table {table_name}' },
    'loggers.disable': { label: 'Disable logger', message: 'Stop of logger {name|guid}' },
    'loggers.enable': { label: 'Enable logger', message: 'Start of logger {name|guid}' },
    'loggers.push': { label: 'Push logs', message: 'Push of logs' },
    'loggers.read': { label: 'Read loggers', message: 'Reading of loggers' },
    'loggers.remove': { label: 'Remove loggers', message: 'Removal of loggers {objects|guids}' },
    'loggers.update': { label: 'Update logger', message: 'Update of logger {name} ({guid})' },
    'lookups.load': {
      label: 'Load lookup rows',
      message: 'Load of {rows|row_count} rows into lookup {name|guid}',
    },
    'parsers.create': { label: 'Create parser', message: 'Creation of parser {name} ({code})' },
    'parsers.remove': { label: 'Remove parsers', message: 'Removal of parsers {objects|codes}' },
    'parsers.update': { label: 'Update parser', message: 'Update of parser {name} ({code})' },
    'parsers.read': { label: 'Read parsers', message: 'Reading of parsers' },
    'queries.cancel': { label: 'Cancel query', message: 'Cancellation of query {id}' },
    'preferences.read': { label: 'Read preferences', message: 'Reading of preferences' },
    'preferences.update': { label: 'Replace preferences', message: 'Replacement of preferences' },
    'queries.explain': { label: 'Explain query', message: 'Explanation of query {q}' },
    'queries.read': { label: 'Read queries', message: 'Reading of queries' },
    'queries.tag': { label: 'Tag query', message: 'New tags for query {id}' },
    'query.export': { label: 'Export by query', message: 'Export of {rows} rows to file {path} by query {q}' },
    'query.import': { label: 'Import by query', message: 'Import of {rows} rows into table {table} by query {q}' },
    'query.store': {
      label: 'Store by query',
      message: 'Storing of {rows} rows in table {table} of connection profile {profile} by query {q}',
    },
    'query.read': { label: 'Read query', message: 'Reading of a query' },
    'query.read-files': { label: 'Read files by query', message: 'Reading of {count} files by query {q}' },
    'query.request': { label: 'Send requests by query', message: 'Sending of {count} requests by query {q}' },
    'query.run': { label: 'Run query', message: 'Run of query {q}' },
    'events.read': { label: 'Read events', message: 'Reading of events' },
    'events.status': { label: 'Set event status', message: 'Status {status} for events {objects|guids}' },
    'log-schemas.create': { label: 'Create log schema', message: 'Creation of log schema {name|code}' },
    'log-schemas.read': { label: 'Read log schemas', message: 'Reading of log schemas' },
    'log-schemas.remove': { label: 'Remove log schemas', message: 'Removal of log schemas {objects|codes}' },
    'log-schemas.update': { label: 'Update log schema', message: 'Update of log schema {name|code}' },
    'scheduled-queries.backfill': {
      label: 'Backfill scheduled query',
      message: 'Backfill of scheduled query {name|guid} from {from} to {to}',
    },
    'scheduled-queries.cancel-backfill': {
      label: 'Cancel backfill of scheduled query',
      message: 'Cancellation of the backfill of scheduled query {name|guid}',
    },
    'scheduled-queries.create': { label: 'Create scheduled query', message: 'Creation of scheduled query {name}' },
    'scheduled-queries.read': { label: 'Read scheduled queries', message: 'Reading of scheduled queries' },
    'scheduled-queries.remove': {
      label: 'Remove scheduled queries',
      message: 'Removal of scheduled queries {objects|guids}',
    },
    'scheduled-queries.run': { label: 'Run scheduled queries', message: 'Run of scheduled queries {objects|guids}' },
    'scheduled-queries.stop': { label: 'Stop scheduled queries', message: 'Stop of scheduled queries {objects|guids}' },
    'scheduled-queries.update': {
      label: 'Update scheduled query',
      message: 'Update of scheduled query {name} ({guid})',
    },
    'senders.push': { label: 'Push logs by sender', message: 'Push of logs by a sender' },
    'service.install': { label: 'Install service', message: 'First start, with account {login}' },
    'nodes.join': { label: 'Join node', message: 'Joining of node {node}, with audit key {fingerprint}' },
    'nodes.read': { label: 'Read nodes', message: 'Reading of nodes' },
    'settings.read': { label: 'Read settings', message: 'Reading of settings' },
    'service.renew-audit': {
      label: 'Renew audit key',
      message: 'Renewal of the audit key, which is now {fingerprint}',
    },
    'tables.create': { label: 'Create table', message: 'Creation of table {table}' },
    'tables.facets': { label: 'Read facets', message: 'Reading of the facets of table {table}' },
    'tables.move': { label: 'Move table', message: 'Move of table {table} to {to}' },
    'tables.move-cancel': { label: 'Cancel table move', message: 'Cancellation of the move of table {table}' },
    'tables.push': { label: 'Push logs to table', message: 'Push of logs to table {table}' },
    'tables.read': { label: 'Read tables', message: 'Reading of tables' },
    'tables.remove': { label: 'Drop table', message: 'Removal of table {table}' },
    'tables.remove-partitions': {
      label: 'Remove partitions',
      message: 'Removal of the days {start} to {end} of table {table}',
    },
    'tables.retain': { label: 'Set retention', message: 'Retention of {period} days for table {table}' },
    'tables.update': { label: 'Update table', message: 'Update of table {table}' },
    'tickets.comment': { label: 'Comment on ticket', message: 'Comment on ticket {name|guid}' },
    'tickets.create': { label: 'Create ticket', message: 'Creation of ticket {title}' },
    'tickets.decide': { label: 'Decide on ticket', message: 'Decision {status} on ticket {name|guid}' },
    'tickets.read': { label: 'Read tickets', message: 'Reading of tickets' },
    'tickets.report': { label: 'Report on ticket', message: 'Report {status} on ticket {name|guid}' },
    'tickets.set-incident': {
      label: 'Set ticket incident',
      message: 'Ticket {name|guid} is an incident or not: {incident}',
    },
    'tickets.set-priority': { label: 'Set ticket priority', message: 'Priority {priority} for ticket {name|guid}' },
    'tickets.submit': { label: 'Submit ticket', message: 'Submission of ticket {name|guid}' },
    'upload-streams.cancel': {
      label: 'Cancel upload',
      message: 'Cancellation of the upload of {file_name|token} into table {table}',
    },
    'upload-streams.complete': {
      label: 'Complete upload',
      message: 'Completion of the upload of {file_name|token} into table {table}',
    },
    'upload-streams.create': { label: 'Open upload', message: 'Upload of {file_name} into table {table}' },
    'upload-streams.remove': { label: 'Remove uploads', message: 'Removal of uploads {objects|tokens}' },
    'upload-streams.read': { label: 'Read uploads', message: 'Reading of uploads' },
    'users.create': { label: 'Create user', message: 'Creation of user {login}' },
    'users.create-api-key': {
      label: 'Create API key',
      message: 'Creation of API key {given.name} for user {user_name|name|guid}',
    },
    'users.read': { label: 'Read users', message: 'Reading of users' },
    'users.remove': { label: 'Remove users', message: 'Removal of users {objects|guids}' },
    'users.remove-api-key': {
      label: 'Revoke API key',
      message: 'Revocation of API key {name|key_guid} of user {user_name|guid}',
    },
    'users.reset-master': { label: 'Reset master key', message: 'New key for account {login}, set on the data folder' },
    'users.update': { label: 'Update user', message: 'Update of user {name|guid}' },
  },
} as const;

type Category = keyof typeof en.categories;
export type ActionCode = keyof typeof en.actions;

export interface Labels {
  readonly results: Readonly<Record<'succeeded' | 'failed' | 'partial', string>>;
  /** What a message says further, by the member of msg_params that asks for it. */
  readonly additions: Readonly<Record<keyof typeof en.additions, string>>;
  readonly further: string;
  readonly categories: Readonly<Record<Category, string>>;
  readonly actions: Readonly<Record<ActionCode, { readonly label: string; readonly message: string }>>;
}
