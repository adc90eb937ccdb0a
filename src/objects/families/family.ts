// A family: objects of one kind with the same five operations: list, get, create, update, remove. One declaration holds the
// specifics; operations, documents and columns are derived from it (operations.ts, records.ts).

import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { Rightful } from '#access/caller.ts';
import type { Quotas } from '#access/limits/quotas.ts';
import type { ApiError } from '#contract/errors.ts';
import type { ActionCode } from '#contract/labels/en.ts';
import type { Role } from '#contract/values.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import type { Targets } from '#kernel/net/web-target.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Optional, Typed } from '#operations/answers/shapes.ts';
import type { Meanings } from '#operations/described.ts';
import type { Call } from '#operations/endpoint.ts';
import type { Reader } from '#operations/params/params.ts';
import type { AnswerFindings } from '#queries/check/text-check.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import type { Db } from '#store/kysely.ts';
import type { Thing } from '#store/rows/resolve.ts';
import type { Schema } from '#store/schema/schema.ts';
import type { Vault } from '#vault/vault.ts';

interface StoredColumns {
  name: string;
  search: string;
  created_at: number;
  updated_at: number;
}

type FamilyTable = { [T in keyof Schema]: Schema[T] extends StoredColumns ? T : never }[keyof Schema];
type RowOf<T extends FamilyTable> = Selectable<Schema[T]>;

/** The first segment of the path; audit labels must exist for it. */
type FamilyPath = {
  [C in ActionCode]: C extends `${infer P}.create` ? (`${P}.update` extends ActionCode ? P : never) : never;
}[ActionCode];

/** The services that families use. */
export interface FamilyCall extends Call {
  readonly clock: Clock;
  readonly zone: string;
  readonly vault: Vault;
  readonly queries: LiveQueries;
  readonly webhookTargets: Targets;
  readonly connectionHosts: ConnectionHosts;
  readonly streamRules: ReferenceObserver;
  readonly collectors: LoggerObserver;
  readonly quotas: Quotas;
  readonly storedLookups: Pick<StoredLookups, 'retire'>;
}

/** Hosts that profiles may name: the settings `database-hosts` and `outbound-hosts`. */
export interface ConnectionHosts {
  readonly databases: HostList;
  readonly outbound: HostList;
}

/** Called when an object that stream rules refer to is created or removed. */
interface ReferenceObserver {
  referredChanged(thing: Thing, key: string): Promise<void>;
}

/** Called when an object that loggers depend on has changed. */
interface LoggerObserver {
  changed(): Promise<void>;
}

/** Context in which records are built. */
export interface RecordContext {
  readonly family: AnyFamily;
  readonly db: Db;
  readonly caller: Rightful;
  readonly zone: string;
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Context of the creation or update of an object. */
export interface WriteContext<Row = AnyRow> {
  readonly family: AnyFamily;
  readonly call: FamilyCall;
  readonly key: string;
  /** Undefined for a new object. */
  readonly before: Row | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A row of any family: its columns are those of the declared fields. */
export type AnyRow = StoredColumns & Readonly<Record<string, unknown>>;

/** A writable field. */
export interface Field<V = unknown> {
  readonly reader: Reader<V>;
  /** Encoding in the column of its name; absent for a value stored elsewhere. */
  readonly column?: Codec<V>;
  /** Shape in records; absent for a field that is never shown. */
  readonly shape?: Typed | Optional;
  /** Shown by `get` only, not in lists. */
  readonly onlyInDetail?: true;
  /** Refuses a reference to a missing object. */
  require?(value: V, writing: WriteContext): Promise<void> | void;
  /** Stores a value without a column, after the row was written. */
  keep?(value: V, writing: WriteContext): Promise<void>;
  /** The values without a column, one for each row. */
  show?(rows: readonly AnyRow[], view: RecordContext): Promise<readonly unknown[]>;
}

export interface Codec<V> {
  write(value: V): string | number | null;
  read(kept: string | number): unknown;
}

export type Fields = Readonly<Record<string, Field>>;
type FieldValues<F extends Fields> = {
  readonly [K in keyof F]: F[K]['reader'] extends Reader<infer V> ? V : never;
};

/** A read-only field. */
export interface Derived<Row = AnyRow> {
  readonly shape: Typed | Optional;
  readonly onlyInDetail?: true;
  /** One value for each row; null for a removed object, which an optional shape leaves out. */
  of(rows: readonly Row[], view: RecordContext): Promise<readonly unknown[]>;
}

type DerivedFields<Row> = Readonly<Record<string, Derived<Row>>>;

/** The words of a family that its operations and answers are typed by. */
export interface FamilyWords {
  readonly path: FamilyPath;
  readonly singular: string;
  readonly plural: string;
  readonly key?: 'guid' | 'code';
  readonly hasDryRun?: true;
  readonly hasQueryText?: true;
  /** Flags by which the list can be filtered. */
  readonly filters?: Readonly<Record<string, Reader<boolean | undefined>>>;
}

interface Family<
  T extends FamilyTable = FamilyTable,
  F extends Fields = Fields,
  N extends Fields = Fields,
  D = unknown,
  Row = RowOf<T>,
> {
  readonly path: FamilyPath;
  /** Term in messages. */
  readonly thing: Thing;
  readonly things: string;
  /** Keys in responses. */
  readonly singular: string;
  readonly plural: string;
  readonly table: T;
  /** Key in paths. A GUID is optional at creation, a code is required. */
  readonly key?: 'guid' | 'code';
  readonly readers?: Role;
  readonly writers?: Role;
  /** In the order of declaration, after the key. */
  readonly fields: F;
  /** Set at creation only; declared after the others, or behind the field that `newFieldsAfter` names. */
  readonly newFields?: N;
  readonly newFieldsAfter?: keyof F & string;
  readonly derived?: D & DerivedFields<Row>;
  /** Columns for keyword search. */
  readonly searched?: readonly string[];
  /** Names are unique among objects with equal values in these columns; by default in the family. */
  readonly uniqueWithin?: readonly string[];
  readonly duplicated?: (name: string) => ApiError;
  /** What its fields mean, in requests and answers alike; key, name, description and times have sentences of all families. */
  readonly meanings?: Meanings;
  /** Flags by which the list can be filtered, columns of their own. */
  readonly filters?: Readonly<Record<string, Reader<boolean | undefined>>>;
  readonly notes?: Partial<Record<'list' | 'get' | 'create' | 'update' | 'remove', string>>;
  /** Whether removal has a dry run that lists references to the object (7.2). */
  readonly hasDryRun?: true;
  /** Restricts rows to those that the caller may see. */
  visibleTo?(rows: RowsOf<T>, caller: Rightful, db: Db): RowsOf<T>;
  /** Whether the caller may change a visible object. */
  mayChange?(row: Row, call: FamilyCall): Promise<boolean>;
  /** Whether `prepare` checks the text of a query, whose warnings and hints go into the answer. */
  readonly hasQueryText?: true;
  /** Validates expensive parameters, before other checks of state. Returns findings about the text of a query. */
  prepare?(given: FieldValues<F> & Partial<FieldValues<N>>, call: FamilyCall): Promise<AnswerFindings> | Promise<void>;
  /** Refuses values that the caller may not set. */
  permit?(given: FieldValues<F>, writing: WriteContext<Row>): void;
  /** Columns that depend on more than their field. */
  columns?(given: FieldValues<F>, writing: WriteContext<Row>): Promise<Partial<Row>> | Partial<Row>;
  /**
   * Columns of a new object, computed after the checks of its fields. Name and key may still be refused: like `require` and
   * `keep` it has effects in the database alone, where they are undone.
   */
  initialColumns?(
    given: FieldValues<F> & FieldValues<N>,
    writing: WriteContext<Row>,
  ): Promise<Partial<Row>> | Partial<Row>;
  /** Why an object cannot be removed. */
  removalRefusal?(row: Row, call: FamilyCall): Promise<string | undefined>;
  /** Effects outside of the store after a change of any object, before the response. */
  followUp?(call: FamilyCall): Promise<void>;
  /** Whether the creation or removal of an object affects stream rules. */
  readonly isNeededByRules?: true;
  /** Called before the row of an object is removed. */
  beforeRemove?(row: Row, call: FamilyCall): Promise<void>;
}

type RowsOf<T extends FamilyTable> = SelectQueryBuilder<Schema, T, object>;

/** A family with erased types, which were checked at its declaration. */
export type AnyFamily = Family<'rule_categories', Fields, Fields, unknown, AnyRow>;

declare const TYPES: unique symbol;

/** A family with the types that its operations have; these exist for the compiler alone. */
export type TypedFamily<W extends FamilyWords, F extends Fields, N extends Fields, D> = AnyFamily & {
  readonly [TYPES]?: readonly [words: W, fields: F, newFields: N, derived: D];
};

/** Infers the types of hooks from table and fields, and erases them. */
export function family<
  T extends FamilyTable,
  const W extends FamilyWords,
  const F extends Fields,
  const N extends Fields = NoFields,
  const D = NoFields,
>(declaration: Family<T, F, N, D> & W): TypedFamily<W, F, N, D> {
  return declaration as unknown as TypedFamily<W, F, N, D>;
}

type NoFields = Readonly<Record<never, never>>;

export const keyOf = ({ key = 'guid' }: AnyFamily, row: AnyRow): string => String(row[key]);

/** One sentence for each field of a family, its own ones last. */
export const familyMeanings = ({ thing, key = 'guid', meanings }: AnyFamily): Meanings => ({
  [key]: key === 'guid' ? `GUID of the ${thing}.` : `Code of the ${thing}, unique among all.`,
  name: `Name of the ${thing}.`,
  description: `Description of the ${thing}, for people.`,
  created: `Time when the ${thing} was created.`,
  updated: `Time of the last change of the ${thing}.`,
  ...meanings,
});
