// A connection profile: a database or an http host that queries may use, with secrets that are stored sealed and never shown.

import { DEFAULT_PORTS, isDatabase, type ProfileKind, TLS_MODES } from '#connections/profile-kinds.ts';
import { wrongHost } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import { type ConnectionHosts, family, type RecordContext } from '#objects/families/family.ts';
import { named, plain } from '#objects/families/fields.ts';
import { arrayOf, boolean, optional, string } from '#operations/answers/shapes.ts';
import { required, text } from '#operations/params/params.ts';
import { grantedObjects } from '#store/rows/grants.ts';
import type { ConnectionProfileRow } from '#store/schema/schema.ts';
import { details, kind, requireOfKind } from './fields.ts';

const PATH = 'connection-profiles';

/** Shown to administrators, for profiles of the kinds that have it. */
const forAdmins =
  <T>(of: (row: ConnectionProfileRow) => T | null) =>
  async (rows: readonly ConnectionProfileRow[], { caller }: RecordContext) =>
    rows.map((row) => (isAtLeast(caller.role, 'ADMIN') ? of(row) : null));

export const connectionProfiles = family({
  path: PATH,
  thing: 'connection profile',
  things: 'connection profiles',
  singular: 'connection_profile',
  plural: 'connection_profiles',
  table: 'connection_profiles',
  hasDryRun: true,
  fields: { ...named, name: plain(required(text(50))), ...details },
  newFields: { kind },
  newFieldsAfter: 'description',
  derived: {
    has_password: {
      shape: optional(boolean),
      of: forAdmins(({ kind, password_box }) => (isDatabase(kind) ? password_box !== null : null)),
    },
    header_names: {
      shape: optional(arrayOf(string)),
      of: forAdmins(({ kind, header_names }) => (isDatabase(kind) ? null : JSON.parse(header_names ?? '[]'))),
    },
  },
  meanings: {
    kind: 'Kind of the other side; `mysql` is for MariaDB too.',
    host: 'Name or address of the database server; the setting `database-hosts` lists it.',
    port: 'Port of the database server; 5432 for postgresql and 3306 for mysql where absent.',
    database: 'Name of the database.',
    user: 'User of the database. Its rights bound the use of the profile.',
    password: 'Password of the user. No answer shows it; absent in an update it stays while the target is the same.',
    zone: 'Zone of times that the database gives without one; that of the query where absent.',
    tls: '`verify` checks the certificate and its name, `require` encrypts without a check, `off` is plain.',
    url: 'Base url, http or https, without user, query and fragment; the setting `outbound-hosts` lists its host.',
    headers:
      'Headers of each request. No answer shows their values; absent in an update they stay while the target is the same.',
    ca: 'Certificates in PEM that are trusted in place of those of the system.',
    writable: 'Whether queries may write through the profile.',
    timeout: 'Seconds that one statement or request may take.',
    max_rows: 'Rows that one statement may give.',
    max_bytes: 'Bytes that one statement or answer may give.',
    max_connections: 'Connections that are open at once; further statements wait.',
    shared_users: 'Users that may use the profile in queries; writing needs `read_only` false.',
    shared_groups: 'User groups that may use the profile in queries; writing needs `read_only` false.',
    has_password: 'Whether a password is stored.',
    header_names: 'Names of the stored headers.',
  },
  notes: {
    list: 'A MEMBER sees name, kind and description of the profiles that are granted to it or its groups.',
    create:
      'A host that the setting `database-hosts`, or `outbound-hosts` for the kind http, does not list is ' +
      '400 `wrong host: <host>`. Password and headers are stored sealed by the master secret of the keys folder; ' +
      'without it: 500 `master secret is missing` or `master secret is wrong`. The user of the database is the ' +
      'boundary of a profile: no superuser, without `pg_execute_server_program` and `FILE`. A grant on a profile ' +
      'is a grant on everything that this user reads. Fields of another kind are ignored. MariaDB is tested; ' +
      'MySQL itself is not.',
    update:
      'The kind stays. Password and headers stay where they are absent, unless `host`, `port`, `url`, `user` or `ca` ' +
      'changes or `tls` becomes weaker: then they are removed, because they were meant for another target. ' +
      '`{}` removes the headers.',
  },
  visibleTo: (rows, caller, db) =>
    isAtLeast(caller.role, 'ADMIN') ? rows : rows.where('guid', 'in', grantedObjects(db, PATH, caller.userGuid)),
  prepare: async (given, { connectionHosts }) => {
    if (given.kind !== undefined) requireHost(given.kind, given, connectionHosts);
  },
  permit(given, { before, call: { connectionHosts } }) {
    if (!before) return;
    requireOfKind(before.kind, given);
    requireHost(before.kind, given, connectionHosts);
  },
  columns(given, { before }) {
    // A new object has its kind among the given values.
    const kind = before?.kind ?? (given as typeof given & { readonly kind: ProfileKind }).kind;
    const ofKind = isDatabase(kind)
      ? { url: null, port: given.port ?? DEFAULT_PORTS[kind] }
      : { host: null, port: null, database: null, user: null, zone: null, tls: null };
    // New secrets are written after this.
    return before && isOtherTarget(before, { ...given, ...ofKind }) ? { ...ofKind, ...NO_SECRETS } : ofKind;
  },
});

const NO_SECRETS = { password_box: null, headers_box: null, header_names: null } as const;

/** Columns that say where a secret goes, and as whose. */
const TARGET = ['host', 'port', 'url', 'user', 'ca'] as const;
type TargetValues = { readonly [K in (typeof TARGET)[number] | 'tls']?: ConnectionProfileRow[K] | undefined };

/** Whether stored secrets would go elsewhere than they were meant for, or less protected. */
function isOtherTarget(before: ConnectionProfileRow, after: TargetValues): boolean {
  const strength = (mode: ConnectionProfileRow['tls'] | undefined) => TLS_MODES.toReversed().indexOf(mode ?? 'off');
  return (
    TARGET.some((name) => (before[name] ?? null) !== (after[name] ?? null)) ||
    strength(after.tls) < strength(before.tls)
  );
}

interface Target {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly url: string | undefined;
}

function requireHost(kind: ProfileKind, { host, port, url }: Target, hosts: ConnectionHosts): void {
  if (isDatabase(kind)) {
    if (host !== undefined && !hosts.databases.has(host, port ?? DEFAULT_PORTS[kind])) throw wrongHost(host);
    return;
  }
  const target = url === undefined ? null : URL.parse(url);
  if (target && !hosts.outbound.has(target.hostname, portOf(target))) throw wrongHost(target.hostname);
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));
