// References of rules. One table holds for every reference its field, its term in messages, and its identifier in the published
// responses of a restore; both responses are projections of one list of failures.

import type { Json } from '#kernel/json/canonical-json.ts';
import type { Reference as StoredReference, Thing } from '#store/rows/resolve.ts';
import type { RuleKind } from './rule-kinds.ts';
import { CONDITION_GROUPS, type Snapshot } from './snapshot.ts';

interface ReferenceField {
  readonly field: string;
  /** Field of the names, in records and in snapshots. */
  readonly names: string;
  readonly thing: Thing;
  /** Identifier in published failures, by kind of rule; absent for a kind without the field. */
  readonly identifiers: Partial<Readonly<Record<RuleKind, string>>>;
}

const both = (identifier: string) => ({ batch: identifier, stream: identifier });

/** In the order of declaration. */
const FIELDS: readonly ReferenceField[] = [
  {
    field: 'category_guid',
    names: 'category_name',
    thing: 'rule category',
    identifiers: { batch: 'category', stream: 'rule_category' },
  },
  {
    field: 'dataset_guid',
    names: 'dataset_name',
    thing: 'dataset',
    identifiers: { batch: 'dataset' },
  },
  {
    field: 'schema_code',
    names: 'schema_name',
    thing: 'log schema',
    identifiers: { stream: 'schema' },
  },
  {
    field: 'logger_guids',
    names: 'logger_names',
    thing: 'logger',
    identifiers: { stream: 'logger' },
  },
  {
    field: 'logger_model_guids',
    names: 'logger_model_names',
    thing: 'logger model',
    identifiers: { stream: 'logger_model' },
  },
  {
    field: 'address_group_guid',
    names: 'address_group_name',
    thing: 'address group',
    identifiers: both('address_group'),
  },
  {
    field: 'ticket_repo_guid',
    names: 'ticket_repo_name',
    thing: 'ticket repository',
    identifiers: both('ticket_repo'),
  },
  {
    field: 'ticket_assignee_guids',
    names: 'ticket_assignee_names',
    thing: 'user',
    identifiers: both('ticket_assignee'),
  },
  {
    field: 'audit_category_guid',
    names: 'audit_category_name',
    thing: 'audit category',
    identifiers: both('audit_category'),
  },
  {
    field: 'reviewer_guids',
    names: 'reviewer_names',
    thing: 'user',
    identifiers: both('reviewer'),
  },
  { field: 'auditor_guid', names: 'auditor_name', thing: 'user', identifiers: both('auditor') },
  {
    field: 'alarm_group_guid',
    names: 'alarm_group_name',
    thing: 'alarm group',
    identifiers: both('alarm_group'),
  },
];

const ofKind = (kind: RuleKind) => FIELDS.filter(({ identifiers }) => identifiers[kind] !== undefined);
const FIELDS_OF: Readonly<Record<RuleKind, readonly ReferenceField[]>> = {
  batch: ofKind('batch'),
  stream: ofKind('stream'),
};

export const referenceFields = (kind: RuleKind): readonly ReferenceField[] => FIELDS_OF[kind];

export interface Reference extends StoredReference {
  /** Undefined for a reference in the query or a condition. */
  readonly field: ReferenceField | undefined;
  readonly identifier: string;
  /** Name at the time of the snapshot; null if unknown. */
  readonly name: string | null;
}

/** All references of a rule in the order of declaration; distinct objects for a list. */
export function referencesOf(kind: RuleKind, snapshot: Snapshot): Reference[] {
  const declared = referenceFields(kind).flatMap((field) => {
    const names = listOf(snapshot[field.names] ?? null);
    const byKey = new Map<string, string | null>();
    for (const [index, key] of listOf(snapshot[field.field] ?? null).entries()) {
      if (!byKey.has(String(key))) byKey.set(String(key), nameOf(names[index] ?? null));
    }
    const { thing, identifiers } = field;
    const identifier = identifiers[kind] ?? field.field;
    return [...byKey].map(([key, name]) => ({ field, identifier, thing, key, name }));
  });
  return [...declared, ...conditionGroupsOf(snapshot)];
}

/** Address groups that the query or conditions match against. */
function conditionGroupsOf(snapshot: Snapshot): Reference[] {
  const groups = snapshot[CONDITION_GROUPS] ?? {};
  return Object.entries(groups).map(([key, name]) => ({
    field: undefined,
    identifier: 'address_group',
    thing: 'address group',
    key,
    name: nameOf(name),
  }));
}

const listOf = (value: Json): readonly Json[] => (value === null ? [] : Array.isArray(value) ? value : [value]);
const nameOf = (value: Json): string | null => (value === null ? null : String(value));

/** Identifiers in the order of the contract, which is the order of failures. */
const PUBLISHED: Readonly<Record<RuleKind, readonly string[]>> = {
  batch: [
    'name',
    'ticket_repo',
    'address_group',
    'category',
    'dataset',
    'audit_category',
    'reviewer',
    'auditor',
    'alarm_group',
    'ticket_assignee',
  ],
  stream: [
    'schema',
    'ticket_repo',
    'address_group',
    'rule_category',
    'audit_category',
    'reviewer',
    'auditor',
    'alarm_group',
    'logger',
    'logger_model',
    'ticket_assignee',
    'name',
  ],
};

/** Why a version cannot be restored. */
export interface RestoreFailure {
  readonly identifier: string;
  readonly value: string;
  readonly reason: 'not-found' | 'duplicate';
}

export const duplicateName = (name: string): RestoreFailure => ({
  identifier: 'name',
  value: name,
  reason: 'duplicate',
});

/** Objects are shown by name, schemas by code. */
export const missingReference = ({ identifier, thing, key, name }: Reference): RestoreFailure => ({
  identifier,
  value: thing === 'log schema' ? key : (name ?? key),
  reason: 'not-found',
});

type PublishedFailure =
  | { readonly id: string; readonly name: string; readonly reason: RestoreFailure['reason'] }
  | { readonly field: string; readonly value: string; readonly reason: RestoreFailure['reason'] };

/** The failures in the form and order of the contract. */
export function publishedFailures(kind: RuleKind, failures: readonly RestoreFailure[]): PublishedFailure[] {
  const order = PUBLISHED[kind];
  const sorted = failures.toSorted((a, b) => order.indexOf(a.identifier) - order.indexOf(b.identifier));
  return sorted.map(({ identifier, value, reason }) =>
    kind === 'batch' ? { id: identifier, name: value, reason } : { field: identifier, value, reason },
  );
}
