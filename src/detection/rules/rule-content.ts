// From the input of a rule to its snapshot: single values become lists, conditions get their query text, and references get
// the current names.

import { notFound } from '#contract/errors.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import type { Db } from '#store/kysely.ts';
import { type ResolvedReferences, resolveReferences } from '#store/rows/resolve.ts';
import { type Condition, conditionsOf, type RawCondition, requireTemplates } from './condition-templates.ts';
import { type Reference, referenceFields, referencesOf } from './references.ts';
import { snapshotFields } from './rule-fields.ts';
import type { RuleKind } from './rule-kinds.ts';
import { CONDITION_GROUPS, type Snapshot } from './snapshot.ts';

export type RuleInput = Readonly<Record<string, unknown>>;

export const conditionsIn = (input: RuleInput): Condition[] => conditionsOf(rawConditionsOf(input));

/** Unknown templates are refused like other missing references: after the rule itself was found. */
export const requireKnownTemplates = (input: RuleInput): void => requireTemplates(rawConditionsOf(input));

/** None for kinds without conditions. */
const rawConditionsOf = ({ commands }: RuleInput) => (commands ?? []) as readonly RawCondition[]; // So its reader gives them.

/** The checked texts of a rule. */
export interface CheckedTexts {
  readonly conditions: readonly Condition[];
  /** The address groups of its query or conditions. */
  readonly groups: readonly string[];
}

/** The writable fields of a snapshot, without names. */
export function contentOf(kind: RuleKind, input: RuleInput, { conditions, groups }: CheckedTexts): Snapshot {
  const spelled: RuleInput = {
    ...input,
    ticket_assignee_guids: input.ticket_assignee_guids ?? listOfOne(input.ticket_assignee_guid),
    reviewer_guids: input.reviewer_guids ?? listOfOne(input.reviewer_guid),
    commands: conditions,
  };
  const content: Record<string, Json> = {};
  for (const field of snapshotFields(kind)) {
    const value = spelled[field];
    // Every reader of a field returns JSON, or undefined for a missing value.
    if (value !== undefined) content[field] = value as Json;
  }
  if (groups.length > 0) content[CONDITION_GROUPS] = Object.fromEntries(groups.map((guid) => [guid, null]));
  return content;
}

const listOfOne = (value: unknown): readonly unknown[] | undefined => (value === undefined ? undefined : [value]);

/** The current names of all references. */
export const namesFor = (db: Db, kind: RuleKind, content: Snapshot): Promise<ResolvedReferences> =>
  resolveReferences(db, referencesOf(kind, content));

/** Returns the content with names; refuses the first missing reference, in the order of declaration. */
export async function withNames(db: Db, kind: RuleKind, content: Snapshot): Promise<Snapshot> {
  const names = await namesFor(db, kind, content);
  const [missing] = names.missing;
  if (missing) throw notFound(missing.thing, missing.key);
  return { ...content, ...namesIn(kind, content, names) };
}

/** References to missing objects. */
export const missingIn = (kind: RuleKind, snapshot: Snapshot, names: ResolvedReferences): Reference[] =>
  referencesOf(kind, snapshot).filter((reference) => names.nameOf(reference) === undefined);

/** The name fields: null for a removed object. Lists are parallel to those of the keys. */
export function namesIn(kind: RuleKind, content: Snapshot, names: ResolvedReferences): Snapshot {
  const found: Record<string, Json> = {};
  for (const { field, names: shown, thing } of referenceFields(kind)) {
    const nameOf = (key: Json) => names.nameOf({ thing, key: String(key) }) ?? null;
    const value = content[field] ?? null;
    if (Array.isArray(value)) found[shown] = value.map(nameOf);
    else if (value !== null) found[shown] = nameOf(value);
  }
  const groups = content[CONDITION_GROUPS];
  if (groups) {
    const nameOf = (key: string) => names.nameOf({ thing: 'address group', key }) ?? null;
    found[CONDITION_GROUPS] = Object.fromEntries(Object.keys(groups).map((key) => [key, nameOf(key)]));
  }
  return found;
}
