// The objects of the demo have the same GUIDs wherever it is made, so that they can be named in documents.

const of = (kind: number, number: number): string =>
  `de${String(kind).padStart(6, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const USERS = { kim: of(1, 1), lee: of(1, 2), park: of(1, 3), feed: of(1, 4) } as const;
export const USER_GROUPS = { soc: of(2, 1) } as const;
export const TABLE_GROUPS = { shop: of(3, 1), edge: of(3, 2), servers: of(3, 3) } as const;
export const MODELS = { web: of(4, 1), firewall: of(4, 2), auth: of(4, 3), syslog: of(4, 4) } as const;
export const LOGGER_GROUPS = { seoul: of(5, 1) } as const;
export const LOGGERS = {
  web: of(6, 1),
  firewall: of(6, 2),
  auth: of(6, 3),
  retired: of(6, 4),
  syslog: of(6, 5),
} as const;
export const DATASETS = { failedLogins: of(7, 1), vpnLogins: of(7, 2), errors: of(7, 3) } as const;
export const ADDRESS_GROUPS = { blocked: of(8, 1), offices: of(8, 2), attackers: of(8, 3) } as const;
export const RULE_CATEGORIES = {
  intrusion: of(9, 1),
  reconnaissance: of(9, 2),
  web: of(9, 3),
  leak: of(9, 4),
} as const;
export const AUDIT_CATEGORIES = { access: of(10, 1) } as const;
export const ALARM_GROUPS = { night: of(11, 1) } as const;
export const TICKET_REPOS = { soc: of(12, 1) } as const;
export const PROCEDURES = { busiest: of(13, 1) } as const;
export const SCHEDULES = {
  hourly: of(14, 1),
  verdict: of(14, 2),
  failed: of(14, 3),
  denials: of(14, 4),
  report: of(14, 5),
  obsolete: of(14, 6),
} as const;
export const BATCH_RULES = { brute: of(15, 1), scan: of(15, 2), probes: of(15, 3), broken: of(15, 4) } as const;
export const STREAM_RULES = { injection: of(16, 1), blocked: of(16, 2), outflow: of(16, 3) } as const;
export const DASHBOARDS = { security: of(18, 1), shop: of(18, 2) } as const;
export const TICKETS = { review: of(17, 1) } as const;
