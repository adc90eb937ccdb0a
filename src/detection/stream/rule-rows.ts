// What is told of a stream rule by its row alone, without the language that its conditions are written in.

import { CONDITION_GROUPS, type Snapshot } from '#detection/snapshot.ts';
import type { RuleRow } from '#store/rule-schema.ts';

/** The address groups that its conditions ask. */
export const groupsIn = ({ snapshot }: Pick<RuleRow, 'snapshot'>): string[] =>
  Object.keys((JSON.parse(snapshot) as Snapshot)[CONDITION_GROUPS] ?? {});

/** Tells one version of a rule from any other. */
export const markOf = ({ guid, version, created_at }: RuleRow): string => `${guid} ${version} ${created_at}`;
