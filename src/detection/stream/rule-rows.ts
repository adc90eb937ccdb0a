// Facts of a stream rule from its row alone, without the query language.

import { CONDITION_GROUPS, type Snapshot } from '#detection/rules/snapshot.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';

/** The address groups in its conditions. */
export const groupsIn = ({ snapshot }: Pick<RuleRow, 'snapshot'>): string[] =>
  Object.keys((JSON.parse(snapshot) as Snapshot)[CONDITION_GROUPS] ?? {});

/** Identifies a version of a rule. */
export const markOf = ({ guid, version, created_at }: RuleRow): string => `${guid} ${version} ${created_at}`;
