// GUIDs of the objects of a fixture, the same in every one.

const of = (kind: number, number: number): string =>
  `fe${String(kind).padStart(6, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const COMPANY = of(1, 1);
export const USERS = { admin: of(2, 1), member: of(2, 2), auditor: of(2, 3) };
export const USER_GROUP = of(3, 1);
export const CRYPTO_PROFILE = of(4, 1);
export const TABLE_GROUP = of(5, 1);
export const MODELS = { json: of(6, 1), logins: of(6, 2), files: of(6, 3), syslog: of(6, 4) };
export const LOGGER_GROUP = of(7, 1);
export const LOGGERS = { auth: of(8, 1), cards: of(8, 2), files: of(8, 3), syslog: of(8, 4) };
export const LOOKUP = of(9, 1);
export const PROCEDURE = of(10, 1);
export const DATASET = of(11, 1);
export const DASHBOARD = of(12, 1);
export const CONNECTION_PROFILES = { database: of(13, 1), http: of(13, 2) };
export const ALARM_GROUP = of(14, 1);
export const ADDRESS_GROUPS = { blocked: of(15, 1), found: of(15, 2) };
export const RULE_CATEGORY = of(16, 1);
export const AUDIT_CATEGORY = of(17, 1);
export const TICKET_REPO = of(18, 1);
export const SCHEDULES = { counts: of(19, 1), follower: of(19, 2) };
export const BATCH_RULE = of(20, 1);
export const STREAM_RULES = { logins: of(21, 1), cards: of(21, 2) };
export const TICKET = of(22, 1);
