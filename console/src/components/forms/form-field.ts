// The fields of a form, each with the type of its value: a draft is a record of values, and a field names one of them.

import type { ReactNode } from 'react';

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface Common<D, N extends string> {
  /** That of the parameter of the operation: messages of the service that name it are shown at the field. */
  readonly name: N;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isRequired?: boolean;
  /** False hides the field. */
  isShown?(draft: D): boolean;
}

interface TextInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'text';
  readonly isLong?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** Texts that the browser offers while typing. */
  readonly suggestions?: readonly string[];
}

interface SecretInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'secret';
  /** A stored secret is never shown; an empty field keeps it. */
  readonly isStored?: boolean;
  readonly maxLength?: number;
}

interface NumberInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'number';
  readonly min?: number;
  readonly max?: number;
}

/** Epoch milliseconds, edited in the zone of the reader. */
interface MomentInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'moment';
}

interface ChoiceInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  /** The label of the empty text, where it may be chosen. */
  readonly noneLabel?: string;
}

interface SwitchInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'switch';
}

interface TextsInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'texts';
  readonly placeholder?: string;
}

/** Any number of the options. */
interface ChoicesInput<D, N extends string> extends Common<D, N> {
  readonly kind: 'choices';
  readonly options: readonly Option[];
}

/** A list of records, each edited by fields of its own. */
interface RowsInput<D, N extends string, R, F> extends Common<D, N> {
  readonly kind: 'rows';
  readonly fields: readonly F[];
  readonly empty: R;
  readonly addLabel: string;
}

/** A control of the page's own, as an editor of queries. */
interface OwnInput<D, N extends string, V> extends Common<D, N> {
  readonly kind: 'own';
  control(props: ControlProps<V>): ReactNode;
}

export interface ControlProps<V> {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly value: V;
  readonly mistake: string | undefined;
  onChange(value: V): void;
}

/** Names of a draft whose values have the type. */
type NamesOf<D, V> = { [K in keyof D & string]-?: [D[K]] extends [V] ? K : never }[keyof D & string];

type RowsOf<D> = {
  [K in keyof D & string]-?: D[K] extends readonly (infer R extends object)[]
    ? RowsInput<D, K, R, FormField<R>>
    : never;
}[keyof D & string];

type OwnOf<D> = { [K in keyof D & string]-?: OwnInput<D, K, D[K]> }[keyof D & string];

export type FormField<D> =
  | TextInput<D, NamesOf<D, string>>
  | SecretInput<D, NamesOf<D, string>>
  | NumberInput<D, NamesOf<D, number | undefined>>
  | MomentInput<D, NamesOf<D, number | undefined>>
  | ChoiceInput<D, NamesOf<D, string>>
  | SwitchInput<D, NamesOf<D, boolean>>
  | TextsInput<D, NamesOf<D, readonly string[]>>
  | ChoicesInput<D, NamesOf<D, readonly string[]>>
  | RowsOf<D>
  | OwnOf<D>;

/** A draft of any form. */
export type AnyDraft = Readonly<Record<string, unknown>>;

/** A field whose types were checked where it was declared. */
export type AnyField =
  | TextInput<AnyDraft, string>
  | SecretInput<AnyDraft, string>
  | NumberInput<AnyDraft, string>
  | MomentInput<AnyDraft, string>
  | ChoiceInput<AnyDraft, string>
  | SwitchInput<AnyDraft, string>
  | TextsInput<AnyDraft, string>
  | ChoicesInput<AnyDraft, string>
  | RowsInput<AnyDraft, string, AnyDraft, AnyField>
  | OwnInput<AnyDraft, string, unknown>;

/** Mistakes by the names of fields; the empty name is the form as a whole. */
export type Mistakes = Readonly<Record<string, string>>;
