// The fields of a connection profile. Those of a database and those of an http host exclude each other; the kind decides which
// must be given.

import { isDatabase, PROFILE_KINDS, type ProfileKind, TLS_MODES } from '#connections/profile-kinds.ts';
import { missing, wrongHeader, wrongUrl, wrongZone } from '#contract/errors.ts';
import { MASK } from '#contract/secret-names.ts';
import { isAtLeast } from '#contract/values.ts';
import { schemeAndHost } from '#kernel/net/web-target.ts';
import type { AnyRow, Codec, Field, RecordContext, WriteContext } from '#objects/families/family.ts';
import { plain, sharedGroups, sharedUsers } from '#objects/families/fields.ts';
import {
  boolean,
  choice,
  int32,
  int64,
  type Optional,
  optional,
  string,
  type Typed,
} from '#operations/answers/shapes.ts';
import { textMap } from '#operations/params/json-params.ts';
import {
  flag,
  int,
  long,
  meaning,
  oneOf,
  orElse,
  type Reader,
  required,
  secret,
  text,
} from '#operations/params/params.ts';
import { zoneNamed } from '#query/model/zones.ts';
import { everythingSealed, headersLabel, passwordLabel } from '#vault/sealed/everything-sealed.ts';

const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 64 * 1024;
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A line break would begin another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

export const kind = { ...plain(required(oneOf(PROFILE_KINDS))), shape: choice(PROFILE_KINDS) };

/** The complaint about a missing value comes here where the kind is given, and from `requireOfKind` in an update. */
const ofKind = <T>(reader: Reader<T | undefined>, belongs: (kind: ProfileKind) => boolean): Reader<T | undefined> => ({
  ...reader,
  read(given, name, context, earlier) {
    const value = reader.read(given, name, context, earlier);
    const kind = earlier?.kind as ProfileKind | undefined; // Read before, by its own reader.
    if (value === undefined && kind !== undefined && belongs(kind)) throw missing(name);
    return value;
  },
});

const isHttp = (kind: ProfileKind) => !isDatabase(kind);

/** The names that must be given, in the order of their declaration. */
export function requireOfKind(kind: ProfileKind, given: Readonly<Record<string, unknown>>): void {
  const names = isDatabase(kind) ? ['host', 'database', 'user'] : ['url'];
  const left = names.find((name) => given[name] === undefined);
  if (left !== undefined) throw missing(left);
}

const zone = meaning(text(50), { examples: ['Asia/Seoul'] }, (given) => {
  if (zoneNamed(given) === undefined) throw wrongZone(given);
  return given;
});

/** A base url: paths are added to it, so that it has neither query nor fragment. */
const baseUrl = meaning(text(2000), { examples: ['https://api.example.com/v1/'] }, (given) => {
  const url = URL.parse(given);
  const isBase = url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '' && !/[?#@]/.test(given);
  if (!isBase) throw wrongUrl(schemeAndHost(given) ?? MASK);
  return given;
});

const headers = meaning(
  textMap({ keys: MAX_HEADERS, bytes: MAX_HEADER_BYTES }),
  { examples: [{ authorization: 'Bearer SECRET' }] },
  (given) => {
    const wrong = Object.entries(given).find(([name, value]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(value));
    if (wrong) throw wrongHeader(HEADER_NAME.test(wrong[0]) ? wrong[0] : MASK);
    return given;
  },
);

interface Shown<T> {
  readonly shape: Optional<T>;
  show(rows: readonly AnyRow[], view: RecordContext): Promise<readonly unknown[]>;
}

/** Accounts that may only use a profile do not see its content. */
const forAdmins = <T>(shape: Typed<T>, of: (row: AnyRow) => unknown): Shown<T> => ({
  shape: optional(shape),
  show: async (rows, { caller }) => rows.map((row) => (isAtLeast(caller.role, 'ADMIN') ? of(row) : null)),
});

const plainCodec: Codec<string | number | undefined> = { write: (value) => value ?? null, read: (kept) => kept };

const detail = <V extends string | number | undefined, T>(name: string, reader: Reader<V>, shape: Typed<T>) => ({
  reader,
  column: plainCodec as Codec<V>, // It writes texts and numbers alike.
  ...forAdmins(shape, (row) => row[name]),
});

const grantsForAdmins = <F extends typeof sharedUsers>(field: F) => ({
  ...field,
  shape: optional(field.shape),
  show: async (rows: readonly AnyRow[], view: RecordContext) =>
    isAtLeast(view.caller.role, 'ADMIN') ? await field.show(rows, view) : rows.map(() => null),
});

export const details = {
  host: detail('host', ofKind(text(255), isDatabase), string),
  port: detail('port', int(1n, 65_535n), int32),
  database: detail('database', ofKind(text(255), isDatabase), string),
  user: detail('user', ofKind(text(255), isDatabase), string),
  password: {
    reader: secret(text(1000)),
    keep: (given, writing) =>
      given === undefined ? Promise.resolve() : keepSealed(writing, { column: 'password_box', text: given }),
  } satisfies Field<string | undefined>,
  zone: detail('zone', zone, string),
  tls: detail('tls', orElse(oneOf(TLS_MODES), 'verify'), choice(TLS_MODES)),
  url: detail('url', ofKind(baseUrl, isHttp), string),
  headers: {
    reader: secret(headers),
    async keep(given, writing) {
      if (given === undefined) return;
      await keepSealed(writing, { column: 'headers_box', text: JSON.stringify(given) });
      const header_names = JSON.stringify(Object.keys(given).toSorted());
      await writing.call.db
        .updateTable('connection_profiles')
        .set({ header_names })
        .where('guid', '=', writing.key)
        .execute();
    },
  } satisfies Field<Readonly<Record<string, string>> | undefined>,
  ca: detail('ca', text(65_536), string),
  writable: {
    reader: orElse(flag, false),
    column: { write: (value: boolean) => (value ? 1 : 0), read: (kept) => kept === 1 },
    ...forAdmins(boolean, ({ writable }) => writable === 1),
  } satisfies Field<boolean>,
  timeout: detail('timeout', orElse(int(1n, 3600n), 60), int32),
  max_rows: detail('max_rows', orElse(int(1n, 10_000_000n), 1_000_000), int32),
  max_bytes: detail('max_bytes', orElse(long, DEFAULT_MAX_BYTES), int64),
  max_connections: detail('max_connections', orElse(int(1n, 16n), 4), int32),
  shared_users: grantsForAdmins(sharedUsers),
  shared_groups: grantsForAdmins(sharedGroups),
};

interface SealedText {
  readonly column: 'password_box' | 'headers_box';
  readonly text: string;
}

async function keepSealed({ call: { db, vault }, key }: WriteContext, { column, text }: SealedText): Promise<void> {
  const label = column === 'password_box' ? passwordLabel(key) : headersLabel(key);
  const box = vault.sealed(Buffer.from(text), label, await everythingSealed(db));
  await db
    .updateTable('connection_profiles')
    .set({ [column]: box })
    .where('guid', '=', key)
    .execute();
}
