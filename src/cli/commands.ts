// The list of all subcommands. Each is loaded on demand: the start of the service must not wait for the others.

import type { Command } from './kit/command.ts';

export interface Listed {
  readonly name: string;
  load(): Promise<Command>;
}

export const commands: readonly Listed[] = [
  { name: 'serve', load: async () => (await import('./serve/serve.ts')).serve },
  { name: 'table list', load: async () => (await import('./table/list.ts')).tableList },
  { name: 'table create', load: async () => (await import('./table/create.ts')).tableCreate },
  { name: 'table stat', load: async () => (await import('./table/stat.ts')).tableStat },
  { name: 'table drop', load: async () => (await import('./table/drop.ts')).tableDrop },
  { name: 'query', load: async () => (await import('./query/query.ts')).query },
  { name: 'tail', load: async () => (await import('./tail/tail.ts')).tail },
  { name: 'event list', load: async () => (await import('./event/list.ts')).eventList },
  { name: 'event close', load: async () => (await import('./event/close.ts')).eventClose },
  { name: 'schedule list', load: async () => (await import('./schedule/list.ts')).scheduleList },
  { name: 'schedule show', load: async () => (await import('./schedule/show.ts')).scheduleShow },
  { name: 'schedule create', load: async () => (await import('./schedule/create.ts')).scheduleCreate },
  { name: 'schedule run', load: async () => (await import('./schedule/run.ts')).scheduleRun },
  { name: 'schedule stop', load: async () => (await import('./schedule/stop.ts')).scheduleStop },
  { name: 'schedule remove', load: async () => (await import('./schedule/remove.ts')).scheduleRemove },
  { name: 'schedule slots', load: async () => (await import('./schedule/slots.ts')).scheduleSlots },
  { name: 'schedule next', load: async () => (await import('./schedule/next.ts')).scheduleNext },
  { name: 'rule list', load: async () => (await import('./rule/list.ts')).ruleList },
  { name: 'rule show', load: async () => (await import('./rule/show.ts')).ruleShow },
  { name: 'rule history', load: async () => (await import('./rule/history.ts')).ruleHistory },
  { name: 'rule diff', load: async () => (await import('./rule/diff.ts')).ruleDiff },
  { name: 'rule restore', load: async () => (await import('./rule/restore.ts')).ruleRestore },
  { name: 'rule test', load: async () => (await import('./rule/test.ts')).ruleTest },
  { name: 'shell', load: async () => (await import('./shell/shell.ts')).shell },
  { name: 'import', load: async () => (await import('./import/import.ts')).importFiles },
  { name: 'lookup list', load: async () => (await import('./lookup/list.ts')).lookupList },
  { name: 'lookup create', load: async () => (await import('./lookup/create.ts')).lookupCreate },
  { name: 'lookup load', load: async () => (await import('./lookup/load.ts')).lookupLoad },
  { name: 'lookup rows', load: async () => (await import('./lookup/rows.ts')).lookupRows },
  { name: 'lookup remove', load: async () => (await import('./lookup/remove.ts')).lookupRemove },
  { name: 'parser list', load: async () => (await import('./parser/list.ts')).parserList },
  { name: 'parser show', load: async () => (await import('./parser/show.ts')).parserShow },
  { name: 'parser create', load: async () => (await import('./parser/create.ts')).parserCreate },
  { name: 'parser remove', load: async () => (await import('./parser/remove.ts')).parserRemove },
  { name: 'user list', load: async () => (await import('./user/list.ts')).userList },
  { name: 'user show', load: async () => (await import('./user/show.ts')).userShow },
  { name: 'user create', load: async () => (await import('./user/create.ts')).userCreate },
  { name: 'user update', load: async () => (await import('./user/update.ts')).userUpdate },
  { name: 'user remove', load: async () => (await import('./user/remove.ts')).userRemove },
  { name: 'key list', load: async () => (await import('./key/list.ts')).keyList },
  { name: 'key create', load: async () => (await import('./key/create.ts')).keyCreate },
  { name: 'key revoke', load: async () => (await import('./key/revoke.ts')).keyRevoke },
  { name: 'key reset-master', load: async () => (await import('./key/reset-master.ts')).keyResetMaster },
  { name: 'key renew-audit', load: async () => (await import('./key/renew-audit.ts')).keyRenewAudit },
  { name: 'login', load: async () => (await import('./login/login.ts')).login },
  { name: 'audit list', load: async () => (await import('./audit/list.ts')).auditList },
  { name: 'audit export', load: async () => (await import('./audit/export.ts')).auditExport },
  { name: 'audit verify', load: async () => (await import('./audit/verify.ts')).auditVerify },
];
