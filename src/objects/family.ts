// A family: objects of one kind that are listed, read, made, replaced and removed alike. One declaration says what is
// peculiar to it; its five operations, their documents and its columns follow from that (operations.ts, records.ts).

import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { Caller } from '#access/caller.ts';
import type { Quotas } from '#access/quotas.ts';
import type { ApiError } from '#contract/errors.ts';
import type { ActionCode } from '#contract/labels/en.ts';
import type { Role } from '#contract/values.ts';
import type { Meanings } from '#http/described.ts';
import type { Call } from '#http/endpoint.ts';
import type { Reader } from '#http/params.ts';
import type { Optional, Typed } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Targets } from '#kernel/web-target.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { Db } from '#store/kysely.ts';
import type { Thing } from '#store/resolve.ts';
import type { Schema } from '#store/schema.ts';
import type { Vault } from '#vault/vault.ts';

interface Kept {
  name: string;
  search: string;
  created_at: number;
  updated_at: number;
}

type FamilyTable = { [T in keyof Schema]: Schema[T] extends Kept ? T : never }[keyof Schema];
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
  readonly streamRules: RuleWatcher;
  readonly collectors: LoggersFollower;
  readonly quotas: Quotas;
}

/** Told of what stream rules refer to, when it is there no more, or again. */
export interface RuleWatcher {
  referredChanged(thing: Thing, key: string): Promise<void>;
}

/** Whoever follows what loggers depend on. */
export interface LoggersFollower {
  changed(): Promise<void>;
}

/** What records are made with. */
export interface View {
  readonly family: AnyFamily;
  readonly db: Db;
  readonly caller: Caller;
  readonly zone: string;
  readonly vault: Vault;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** One object that is being made or replaced. */
export interface Writing<Row = AnyRow> {
  readonly family: AnyFamily;
  readonly call: FamilyCall;
  readonly key: string;
  /** Undefined for one that is being made. */
  readonly before: Row | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A row whose family is not known: its columns are those of the declared fields. */
export type AnyRow = Kept & Readonly<Record<string, unknown>>;

/** A writable field. */
export interface Field<V = unknown> {
  readonly reader: Reader<V>;
  /** How it is kept in the column of its name; absent for what is kept elsewhere. */
  readonly column?: Codec<V>;
  /** In records; absent for what is never shown. */
  readonly shape?: Typed | Optional;
  /** Shown only where one object is read. */
  readonly onlyInDetail?: true;
  /** Refuses a value that refers to what is not there. */
  require?(value: V, writing: Writing): Promise<void> | void;
  /** Keeps what has no column, once the row is written. */
  keep?(value: V, writing: Writing): Promise<void>;
  /** The values of what has no column, one for each row. */
  show?(rows: readonly AnyRow[], view: View): Promise<readonly unknown[]>;
}

export interface Codec<V> {
  write(value: V): string | number | null;
  read(kept: string | number): unknown;
}

export type Fields = Readonly<Record<string, Field>>;
export type GivenFields<F extends Fields> = {
  readonly [K in keyof F]: F[K]['reader'] extends Reader<infer V> ? V : never;
};

/** A field that is only read. */
export interface Derived<Row = AnyRow> {
  readonly shape: Typed | Optional;
  readonly onlyInDetail?: true;
  /** One value for each row; null, or nothing where the shape says so, for what has gone. */
  of(rows: readonly Row[], view: View): Promise<readonly unknown[]>;
}

type DerivedFields<Row> = Readonly<Record<string, Derived<Row>>>;

/** The words of a family that its operations and answers are typed by. */
export interface FamilyWords {
  readonly path: FamilyPath;
  readonly singular: string;
  readonly plural: string;
  readonly key?: 'guid' | 'code';
  readonly hasDryRun?: true;
}

export interface Family<
  T extends FamilyTable = FamilyTable,
  F extends Fields = Fields,
  N extends Fields = Fields,
  D = unknown,
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
  readonly derived?: D & DerivedFields<Row>;
  /** Columns that keywords are sought in. */
  readonly searched?: readonly string[];
  /** Names are unique among objects that agree in these columns; by default in the family. */
  readonly uniqueWithin?: readonly string[];
  readonly duplicated?: (name: string) => ApiError;
  /** What its fields mean, in requests and answers alike; key, name, description and times have sentences of all families. */
  readonly meanings?: Meanings;
  readonly notes?: Partial<Record<'list' | 'get' | 'create' | 'update' | 'remove', string>>;
  /** Whether removal can be tried, and says then who refers to an object (7.2). */
  readonly hasDryRun?: true;
  /** Narrows rows to those the caller may see; all others do not exist for it. */
  visibleTo?(rows: RowsOf<T>, caller: Caller, db: Db): RowsOf<T>;
  /** Whether the caller may change an object that it sees. */
  mayChange?(row: Row, call: FamilyCall): Promise<boolean>;
  /** Looks at parameters that take time to look at: before anything else of the state. */
  prepare?(given: GivenFields<F> & Partial<GivenFields<N>>, call: FamilyCall): Promise<void>;
  /** Refuses what the caller may not wish for. */
  permit?(given: GivenFields<F>, writing: Writing<Row>): void;
  /** Columns that come from more than their field. */
  columns?(given: GivenFields<F>, writing: Writing<Row>): Promise<Partial<Row>> | Partial<Row>;
  /** Columns that are written once, when all checks of a new object have passed. */
  beginning?(given: GivenFields<F> & GivenFields<N>, writing: Writing<Row>): Promise<Partial<Row>> | Partial<Row>;
  /** Why an object must stay. */
  obstacle?(row: Row, call: FamilyCall): Promise<string | undefined>;
  /** What follows outside of the store from a change of any of its objects, before that is answered. */
  followUp?(call: FamilyCall): Promise<void>;
  /** Whether stream rules that refer to an object work otherwise when it comes to be or goes. */
  readonly isNeededByRules?: true;
  /** What follows from the removal of an object, just before its row goes. */
  leaving?(row: Row, call: FamilyCall): Promise<void>;
}

export type RowsOf<T extends FamilyTable> = SelectQueryBuilder<Schema, T, object>;

/** A family among others: its own types are erased, they were checked where it was declared. */
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
