// The kinds of fields of families.

import { missing, notFound } from '#contract/errors.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import {
  grantRecord,
  grantRecords,
  type HolderKind,
  listGrants,
  onObject,
  requireHolders,
  setGrants,
} from '#objects/grants.ts';
import {
  arrayOf,
  boolean,
  guidText,
  type Optional,
  optional,
  orNull,
  string,
  type Typed,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import { type Grant, grants } from '#operations/params/json-params.ts';
import {
  guids,
  type ReadContext,
  type Reader,
  type RequiredReader,
  required,
  text,
} from '#operations/params/params.ts';
import { exists, resolveReferences, type Thing } from '#store/rows/resolve.ts';
import type { AnyRow, Codec, Field, RecordContext, WriteContext } from './family.ts';

const plainCodec: Codec<string | number | undefined> = { write: (value) => value ?? null, read: (kept) => kept };
const jsonCodec: Codec<unknown> = { write: (value) => JSON.stringify(value), read: (kept) => parseJson(String(kept)) };
export const flagCodec: Codec<boolean | undefined> = { write: (value) => (value ? 1 : 0), read: (kept) => kept === 1 };

interface Kept<R, S, V> {
  readonly reader: R;
  readonly column: Codec<V>;
  readonly shape: S;
}

type Plain<R, S> = Kept<R, S, string | number | undefined>;

/** Text or a number; always present if required. */
export function plain<V extends string | number>(reader: RequiredReader<V>): Plain<RequiredReader<V>, Typed<string>>;
export function plain<V extends string | number, S extends Typed>(
  reader: RequiredReader<V>,
  shape: S,
): Plain<RequiredReader<V>, S>;
export function plain<V extends string | number | undefined>(reader: Reader<V>): Plain<Reader<V>, Optional<string>>;
export function plain<V extends string | number | undefined, T>(
  reader: Reader<V>,
  shape: Typed<T>,
): Plain<Reader<V>, Optional<T>>;
export function plain<V extends string | number | undefined>(reader: Reader<V>, shape: Typed = string) {
  return { reader, column: plainCodec, shape: reader.isRequired ? shape : optional(shape) };
}

export const json = <R extends Reader<unknown>, S extends Typed | Optional>(
  reader: R,
  shape: S,
): Kept<R, S, unknown> => ({ reader, column: jsonCodec, shape });

export const flagField = (reader: Reader<boolean>) =>
  ({ reader, column: flagCodec, shape: boolean }) satisfies Field<boolean>;

/** The first fields of every family. */
export const named = { name: plain(required(text(255))), description: plain(text(2000)) };

/** The GUID of another object, which must exist. */
export const reference = (reader: Reader<string | undefined>, thing: Thing) =>
  ({
    ...plain(reader, guidText),
    async require(key, { call: { db } }) {
      if (key !== undefined && !(await exists(db, thing, key))) throw notFound(thing, key);
    },
  }) satisfies Field<string | undefined>;

/** The name of the object that a column refers to; null for a removed object. */
export const nameOf = (thing: Thing, column: string) => ({
  shape: orNull(string),
  async of(rows: readonly AnyRow[], { db }: RecordContext): Promise<(string | null)[]> {
    const keys = rows.map((row) => row[column]).filter((key) => typeof key === 'string');
    const found = await resolveReferences(
      db,
      keys.map((key) => ({ thing, key })),
    );
    return rows.map((row) => found.nameOf({ thing, key: String(row[column]) }) ?? null);
  },
});

/** A value computed from the row alone. */
export const computed = <Row, S extends Typed | Optional>(
  shape: S,
  work: (row: Row) => TypeOf<S> | null | undefined,
) => ({
  shape,
  of: async (rows: readonly Row[]) => rows.map(work),
});

/** A required list that may be empty. */
export const allowEmpty = <V, W>(reader: Reader<V | undefined, W>): RequiredReader<V, W> => ({
  ...reader,
  schema: { ...reader.schema, examples: [[]] },
  isRequired: true,
  read(given, name, context: ReadContext, earlier) {
    const value = reader.read(given, name, context, earlier);
    if (value === undefined) throw missing(name);
    return value;
  },
});

/** Grants to users or groups: stored apart from the row, shown by `get` only. */
export const shared = <R extends Reader<readonly Grant[] | undefined>>(kind: HolderKind, reader: R) =>
  ({
    reader,
    shape: grantRecords,
    onlyInDetail: true,
    require: (given, writing) =>
      requireGuids(
        kind,
        given?.map(({ guid }) => guid),
        writing,
      ),
    keep: (given, writing) => keepGrants(kind, given, writing),
    async show(rows, view) {
      return await mapInOrder(rows, async (row) =>
        (await grantsOn(row, kind, view)).map((grant) => grantRecord(grant, view.zone)),
      );
    },
  }) satisfies Field<readonly Grant[] | undefined>;

export const sharedUsers = shared('user', grants);
export const sharedGroups = shared('group', grants);

/** As `shared`, with GUIDs instead of grants. */
export const granted = (kind: HolderKind) =>
  ({
    reader: guids,
    shape: arrayOf(guidText),
    onlyInDetail: true,
    require: (given, writing) => requireGuids(kind, given, writing),
    keep: (given, writing) =>
      keepGrants(
        kind,
        given?.map((guid) => ({ guid, readOnly: true })),
        writing,
      ),
    async show(rows, view) {
      return await mapInOrder(rows, async (row) =>
        (await grantsOn(row, kind, view)).map(({ holder_guid }) => holder_guid).toSorted(),
      );
    },
  }) satisfies Field<string[] | undefined>;

/** The holders of grants, with names. */
export const holders = <S extends Typed>(kind: HolderKind, shape: S) => ({
  shape,
  onlyInDetail: true as const,
  of: (rows: readonly AnyRow[], view: RecordContext) =>
    mapInOrder(rows, async (row) =>
      (await grantsOn(row, kind, view)).map(({ holder_guid, name }) => ({ guid: holder_guid, name })),
    ),
});

const requireGuids = (kind: HolderKind, guids: readonly string[] = [], { call: { db, caller } }: WriteContext) =>
  requireHolders(db, { kind, guids, caller });

const keepGrants = (kind: HolderKind, given: readonly Grant[] = [], { family, key, call, now }: WriteContext) =>
  setGrants(call.db, { granted: onObject(family.path, key), kind, grants: given, caller: call.caller, now });

const grantsOn = (row: AnyRow, kind: HolderKind, { family, db, caller }: RecordContext) =>
  listGrants(db, onObject(family.path, String(row.guid)), kind, caller);

async function mapInOrder<T>(rows: readonly AnyRow[], work: (row: AnyRow) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (const row of rows) made.push(await work(row));
  return made;
}
