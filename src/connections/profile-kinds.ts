// The kinds of connection profiles.

export const PROFILE_KINDS = ['postgresql', 'mysql', 'http'] as const;
export type ProfileKind = (typeof PROFILE_KINDS)[number];
export type DatabaseKind = Exclude<ProfileKind, 'http'>;

export const TLS_MODES = ['verify', 'require', 'off'] as const;
export type TlsMode = (typeof TLS_MODES)[number];

export const DEFAULT_PORTS: Readonly<Record<DatabaseKind, number>> = { postgresql: 5432, mysql: 3306 };

export const isDatabase = (kind: ProfileKind): kind is DatabaseKind => kind !== 'http';
