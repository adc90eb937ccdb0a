// From what was given to a snapshot: lists of one in either spelling, conditions with the text they stand for, and the
// names of everything referred to as they are now.

import { notFound } from '#contract/errors.ts';
import type { Json } from '#kernel/canonical-json.ts';
import type { Db } from '#store/kysely.ts';
import { type Resolved, resolved } from '#store/resolve.ts';
import { type Condition, conditionsOf, type RawCondition, requireTemplates } from './condition-templates.ts';
import { type Reference, referenceFields, referencesOf } from './references.ts';
import { snapshotFields } from './rule-fields.ts';
import type { RuleKind } from './rule-kinds.ts';
import { CONDITION_GROUPS, type Snapshot } from './snapshot.ts';

export type RuleInput = Readonly<Record<string, unknown>>;

export const conditionsIn = (input: RuleInput): Condition[] => conditionsOf(rawConditionsOf(input));

/** A template is looked for like anything that a rule refers to: when the rule is known to be there. */
export const requireKnownTemplates = (input: RuleInput): void => requireTemplates(rawConditionsOf(input));

/** None for kinds without conditions. */
const rawConditionsOf = ({ commands }: RuleInput) => (commands ?? []) as readonly RawCondition[]; // So its reader gives them.

/** What a rule's texts turned out to be and to refer to. */
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
    // Every reader of a field gives JSON, or undefined for what was not given.
    if (value !== undefined) content[field] = value as Json;
  }
  if (groups.length > 0) content[CONDITION_GROUPS] = Object.fromEntries(groups.map((guid) => [guid, null]));
  return content;
}

const listOfOne = (value: unknown): readonly unknown[] | undefined => (value === undefined ? undefined : [value]);

/** Everything that it refers to, as it is now. */
export const namesFor = (db: Db, kind: RuleKind, content: Snapshot): Promise<Resolved> =>
  resolved(db, referencesOf(kind, content));

/** Complains about the first reference, in the order of declaration, whose object is not there; gives the content with names. */
export async function withNames(db: Db, kind: RuleKind, content: Snapshot): Promise<Snapshot> {
  const names = await namesFor(db, kind, content);
  const [missing] = names.missing;
  if (missing) throw notFound(missing.thing, missing.key);
  return { ...content, ...namesIn(kind, content, names) };
}

/** Those of its references whose objects are not there. */
export const missingIn = (kind: RuleKind, snapshot: Snapshot, names: Resolved): Reference[] =>
  referencesOf(kind, snapshot).filter((reference) => names.nameOf(reference) === undefined);

/** The fields with names: null where an object has gone. Lists run parallel to those of the keys. */
export function namesIn(kind: RuleKind, content: Snapshot, names: Resolved): Snapshot {
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
