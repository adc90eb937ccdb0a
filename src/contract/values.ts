// The closed sets of the wire, each written once.

export const ROLES = ['MASTER', 'ADMIN', 'MEMBER'] as const;
export type Role = (typeof ROLES)[number];

/** The number by which the contract reads a role back: MASTER is 1. */
export const roleId = (role: Role): number => ROLES.indexOf(role) + 1;

/** MASTER includes the rights of ADMIN, ADMIN those of MEMBER. */
export const isAtLeast = (role: Role, minimum: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(minimum);

/** What a key may do: what its account may, or send logs and nothing else. */
export const KEY_SCOPES = ['all', 'push'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const LOCALES = ['en', 'ko'] as const;
export type Locale = (typeof LOCALES)[number];

export type Translated = Readonly<Record<Locale, string>>;

/** By the language part, in any case: `ko-KR`, `ko_KR` and `KO` are `ko`. Undefined for any other text. */
export function languageOf(text: string): Locale | undefined {
  const [language] = text.slice(0, 3).toLowerCase().split(/[-_]/, 1);
  return LOCALES.find((locale) => locale === language);
}

/** Types of the fields of a log schema. */
export const SCHEMA_TYPES = [
  'DATE',
  'STRING',
  'IP',
  'PORT',
  'SHORT',
  'INT',
  'LONG',
  'COUNTRY',
  'FLOAT',
  'DOUBLE',
  'BOOL',
  'MD5',
  'SHA1',
  'URL',
  'SHA256',
  'DOMAIN',
] as const;
export type SchemaType = (typeof SCHEMA_TYPES)[number];

/** The name of a node whose data folder was made before nodes had names. */
export const FIRST_NODE = 'vigil';

export const NODE_TYPES = ['control', 'data'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** A node is `gone` when its lease has ended. */
export const NODE_STATES = ['alive', 'standby', 'gone'] as const;
export type NodeState = (typeof NODE_STATES)[number];
