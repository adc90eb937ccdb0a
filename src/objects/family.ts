// A family: objects of one kind that are listed, read, made, replaced and removed alike. One declaration says what is
// peculiar to it; its five operations, their documents and its columns follow from that (operations.ts, records.ts).

import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { Caller } from '#access/caller.ts';
import type { Quotas } from '#access/quotas.ts';
import type { ApiError } from '#contract/errors.ts';
import type { ActionCode } from '#contract/labels/en.ts';
import type { Role } from '#contract/values.ts';
import type { Call } from '#http/endpoint.ts';
import type { JsonSchema, Reader } from '#http/params.ts';
import type { Optional } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Targets } from '#kernel/web-target.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Db } from '#store/kysely.ts';
import type { Thing } from '#store/resolve.ts';
import type { Schema } from '#store/schema.ts';
import type { Vault } from '#vault/vault.ts';

interface StoredColumns {
  name: string;
  search: string;
  created_at: number;
  updated_at: number;
}

type FamilyTable = { [T in keyof Schema]: Schema[T] extends StoredColumns ? T : never }[keyof Schema];
export type RowOf<T extends FamilyTable> = Selectable<Schema[T]>;

/** The first segment of the family's path: there must be labels for what is done to it. */
export type FamilyPath = {
  [C in ActionCode]: C extends `${infer P}.create` ? (`${P}.update` extends ActionCode ? P : never) : never;
}[ActionCode];

/** The services that families work with. */
export interface FamilyCall extends Call {
  readonly clock: Clock;
  readonly zone: string;
  readonly vault: Vault;
  readonly queries: LiveQueries;
  readonly webhookTargets: Targets;
  readonly streamRules: ReferenceObserver;
  readonly collectors: LoggerObserver;
  readonly quotas: Quotas;
}

/** Told of what stream rules refer to, when it is there no more, or again. */
export interface ReferenceObserver {
  referredChanged(thing: Thing, key: string): Promise<void>;
}

/** Whoever follows what loggers depend on. */
export interface LoggerObserver {
  changed(): Promise<void>;
}

/** What records are made with. */
export interface RecordContext {
  readonly family: AnyFamily;
  readonly db: Db;
  readonly caller: Caller;
  readonly zone: string;
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** One object that is being made or replaced. */
export interface WriteContext<Row = AnyRow> {
  readonly family: AnyFamily;
  readonly call: FamilyCall;
  readonly key: string;
  /** Undefined for one that is being made. */
  readonly before: Row | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A row whose family is not known: its columns are those of the declared fields. */
export type AnyRow = StoredColumns & Readonly<Record<string, unknown>>;

/** A writable field. */
export interface Field<V = unknown> {
  readonly reader: Reader<V>;
  /** How it is kept in the column of its name; absent for what is kept elsewhere. */
  readonly column?: Codec<V>;
  /** In records; absent for what is never shown. */
  readonly shape?: JsonSchema | Optional;
  /** Shown only where one object is read. */
  readonly onlyInDetail?: true;
  /** Refuses a value that refers to what is not there. */
  require?(value: V, writing: WriteContext): Promise<void> | void;
  /** Keeps what has no column, once the row is written. */
  keep?(value: V, writing: WriteContext): Promise<void>;
  /** The values of what has no column, one for each row. */
  show?(rows: readonly AnyRow[], view: RecordContext): Promise<readonly unknown[]>;
}

export interface Codec<V> {
  write(value: V): string | number | null;
  read(kept: string | number): unknown;
}

export type Fields = Readonly<Record<string, Field>>;
export type FieldValues<F extends Fields> = {
  readonly [K in keyof F]: F[K]['reader'] extends Reader<infer V> ? V : never;
};

/** A field that is only read. */
export interface Derived<Row = AnyRow> {
  readonly shape: JsonSchema | Optional;
  readonly onlyInDetail?: true;
  /** One value for each row; null, or nothing where the shape says so, for what has gone. */
  of(rows: readonly Row[], view: RecordContext): Promise<readonly unknown[]>;
}

export interface Family<
  T extends FamilyTable = FamilyTable,
  F extends Fields = Fields,
  N extends Fields = Fields,
  Row = RowOf<T>,
> {
  readonly path: FamilyPath;
  /** Its word in messages. */
  readonly thing: Thing;
  readonly things: string;
  /** Its words in answers. */
  readonly singular: string;
  readonly plural: string;
  readonly table: T;
  /** What it is addressed by. A guid may be left to the service, a code is always given. */
  readonly key?: 'guid' | 'code';
  readonly readers?: Role;
  readonly writers?: Role;
  /** In declaration order; after the key. */
  readonly fields: F;
  /** Fixed when an object is made; given after the others. */
  readonly newFields?: N;
  readonly derived?: Readonly<Record<string, Derived<Row>>>;
  /** Columns that keywords are sought in. */
  readonly searched?: readonly string[];
  /** Names are unique among objects that agree in these columns; by default in the family. */
  readonly uniqueWithin?: readonly string[];
  readonly duplicated?: (name: string) => ApiError;
  readonly notes?: Partial<Record<'list' | 'get' | 'create' | 'update' | 'remove', string>>;
  /** Whether removal can be tried, and says then who refers to an object (7.2). */
  readonly hasDryRun?: true;
  /** Narrows rows to those the caller may see; all others do not exist for it. */
  visibleTo?(rows: RowsOf<T>, caller: Caller, db: Db): RowsOf<T>;
  /** Whether the caller may change an object that it sees. */
  mayChange?(row: Row, call: FamilyCall): Promise<boolean>;
  /** Looks at parameters that take time to look at: before anything else of the state. */
  prepare?(given: FieldValues<F> & Partial<FieldValues<N>>, call: FamilyCall): Promise<void>;
  /** Refuses what the caller may not wish for. */
  permit?(given: FieldValues<F>, writing: WriteContext<Row>): void;
  /** Columns that come from more than their field. */
  columns?(given: FieldValues<F>, writing: WriteContext<Row>): Promise<Partial<Row>> | Partial<Row>;
  /** Columns that are written once, when all checks of a new object have passed. */
  initialColumns?(
    given: FieldValues<F> & FieldValues<N>,
    writing: WriteContext<Row>,
  ): Promise<Partial<Row>> | Partial<Row>;
  /** Why an object must stay. */
  removalRefusal?(row: Row, call: FamilyCall): Promise<string | undefined>;
  /** What follows outside of the store from a change of any of its objects, before that is answered. */
  followUp?(call: FamilyCall): Promise<void>;
  /** Whether stream rules that refer to an object work otherwise when it comes to be or goes. */
  readonly isNeededByRules?: true;
  /** What follows from the removal of an object, just before its row goes. */
  beforeRemove?(row: Row, call: FamilyCall): Promise<void>;
}

export type RowsOf<T extends FamilyTable> = SelectQueryBuilder<Schema, T, object>;

/** A family among others: its own types are erased, they were checked where it was declared. */
export type AnyFamily = Family<'rule_categories', Fields, Fields, AnyRow>;

/** Infers the types of hooks from table and fields, and erases them. */
export function family<T extends FamilyTable, const F extends Fields, const N extends Fields>(
  declaration: Family<T, F, N>,
): AnyFamily {
  return declaration as unknown as AnyFamily;
}

export const keyOf = ({ key = 'guid' }: AnyFamily, row: AnyRow): string => String(row[key]);
