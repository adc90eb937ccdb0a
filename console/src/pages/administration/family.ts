// The one shape of a family: columns, fields, operations and roles. List, search, form, panel and removal are derived from it.

import type { ComponentType, ReactNode } from 'react';
import type { AnswerFor, JsonOperation, RequestFor } from '#client/call.ts';
import { type CallOptions, callWith } from '#console/client/call.ts';
import type { Account } from '#console/client/session.ts';
import type { AnyDraft, FormField, Option } from '#console/components/forms/form-field.ts';
import type { Labels } from '#console/labels/en.ts';
import type { Locale, Role } from '#contract/values.ts';
import type { OptionSource, Options } from './options.ts';

export interface Context {
  readonly labels: Labels;
  readonly locale: Locale;
  readonly account: Account;
  /** The zone of the reader. */
  readonly zone: string;
}

export interface FormContext extends Context {
  /** Records of other families to choose from: those that `needs` names. */
  readonly options: Options;
}

/** A labelled value of a record: in its panel, and with a width in the list too. */
export interface Value<R> {
  readonly id: string;
  readonly label: string;
  /** A track of the grid of the list. */
  readonly width?: string;
  readonly align?: 'end';
  /** True for a text that the list shortens to two lines. */
  readonly isLong?: boolean;
  show(record: R): ReactNode;
  sortValue?(record: R): string | number | undefined;
}

export interface ListRequest {
  readonly offset: number;
  readonly limit: number;
  readonly keywords?: string;
  /** What the list is of: a user, a group. Empty for families with one list. */
  readonly scope: string;
  /** Of the reader, for texts that the service has in several languages. */
  readonly locale: Locale;
  readonly options: CallOptions;
}

export interface Listed<R> {
  readonly total: number;
  readonly records: readonly R[];
}

export interface Removal {
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
  readonly references?: AnswerFor<'DELETE /api/core/users'>['references'];
}

export interface Made {
  /** The key of the new record. */
  readonly key: string;
  /** Shown once. */
  readonly secret?: string;
}

/** What `dialog=content` shows of a record, over the page. */
interface Content<W> {
  readonly label: (labels: Labels) => string;
  readonly View: ComponentType<{ readonly record: W; onClose(): void }>;
}

/** `R` is a record of the list, `W` the record alone, which may have more, `D` the draft of the form. */
export interface Family<R, W extends R, D> {
  readonly id: keyof Labels['administration']['families'];
  /** The least role that reads it; others read why when a link brings them there. */
  readonly readers: Role;
  /** The least role that creates, changes and removes. */
  readonly writers: Role;
  /** Milliseconds after which the list is read again. */
  readonly every?: number;
  readonly needs?: readonly OptionSource[];
  list(request: ListRequest): Promise<Listed<R>>;
  /** Absent where the list holds whole records. */
  get?(key: string, options: CallOptions): Promise<W | null>;
  keyOf(record: R): string;
  nameOf(record: R): string;
  values(context: Context): readonly Value<R>[];
  /** Further values of the panel. */
  facts?(context: Context): readonly Value<W>[];
  /** Whether the account may change and remove the record; asked where its role is sufficient. */
  mayChange?(record: R, account: Account): boolean;
  fields?(context: FormContext, record: W | undefined): readonly FormField<D>[];
  /** Below the fields of the form. */
  readonly Trial?: ComponentType<{ readonly draft: D }>;
  draftOf?(record: W | undefined, context: Context): D;
  create?(draft: D, scope: string): Promise<Made>;
  update?(key: string, draft: D): Promise<unknown>;
  remove?(keys: readonly string[], request: { readonly scope: string; readonly isDryRun: boolean }): Promise<Removal>;
  /** True where a dry run of the removal lists the references to a record. */
  readonly hasDryRun?: boolean;
  /** Further buttons of the panel. */
  readonly Actions?: ComponentType<{ readonly record: W }>;
  /** Below the values of the panel. */
  readonly Below?: ComponentType<{ readonly record: W }>;
  readonly content?: Content<W>;
  /** The lists that the family has, where there are several. */
  scopes?(context: FormContext): Scopes;
  /** In place of the list where it is empty. */
  empty?(labels: Labels): { readonly title: string; readonly text: string };
}

export interface Scopes {
  readonly label: string;
  readonly initial: string;
  readonly options: readonly Option[];
}

export type AnyRecord = Readonly<Record<string, unknown>>;
export type AnyFamily = Family<AnyRecord, AnyRecord, AnyDraft>;

/** Its types are checked here and forgotten: derived parts hand records on to the family that they came from. */
export const defineFamily = <R, W extends R, D>(family: Family<R, W, D>): AnyFamily => family as unknown as AnyFamily;

/** The list of an operation, page by page. */
export const listed =
  <O extends JsonOperation, R>(operation: O, recordsIn: (answer: AnswerFor<O>) => readonly R[]) =>
  async ({ offset, limit, keywords, options }: ListRequest): Promise<Listed<R>> => {
    const params = { offset, limit, ...(keywords === undefined ? {} : { keywords }) };
    const answer = await callWith(options, operation, params as unknown as RequestFor<O>); // Every list takes these.
    return { total: (answer as { readonly total_count: number }).total_count, records: recordsIn(answer) };
  };
