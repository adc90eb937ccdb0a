// Compiles stream rules: their texts are parsed once and become closures.

import { type Condition, FREE_TEXT } from '#detection/rules/condition-templates.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Clues } from '#query/model/clue.ts';
import type { MapValue } from '#query/model/values.ts';
import { compileRule, type Reading } from '#query/rules/condition.ts';
import type { RuleContext } from '#query/rules/record-facts.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { Stage, Stages, StreamRule } from './compiled-rule.ts';

export type StreamContext = Omit<RuleContext, 'user' | 'constants'>;

/** Throws the first QueryError of an invalid text. */
export function* streamRuleOf(row: RuleRow, context: StreamContext): SlicedWork<StreamRule> {
  const content: Snapshot = JSON.parse(row.snapshot);
  const { kind, guid, name, version } = row;
  const isByModel = content.source_type === 'LOGGER_MODEL';
  return {
    rule: { kind, guid, name, version, content },
    createdAt: row.created_at,
    schema: String(content.schema_code),
    loggers: isByModel ? undefined : named(content.logger_guids),
    models: isByModel ? named(content.logger_model_guids) : undefined,
    ...(yield* stagesOf(conditionsIn(content), row.user_name, context)),
  };
}

const named = (guids: unknown): ReadonlySet<string> | undefined =>
  Array.isArray(guids) && guids.length > 0 ? new Set(guids.map(String)) : undefined;

/** Conditions of a snapshot. */
const conditionsIn = ({ commands }: Snapshot) => commands as unknown as readonly Condition[];

/** In the order of the conditions, which is that of their ordinals. */
export function* stagesOf(conditions: readonly Condition[], user: string, context: StreamContext): SlicedWork<Stages> {
  const stages: Stage[] = [];
  const clues: Clues<Reading>[] = [];
  // Clues of a condition apply to the record only while no earlier condition has changed it.
  let isAsItCame = true;
  for (const { query, template_id, invert, ordinal } of conditions) {
    const compiled = yield* compileRule(query, { ...context, user, constants: new Map() });
    const { text, reads, judge } = compiled;
    // Other templates have an inverted text of their own.
    const isNegated = invert && template_id === FREE_TEXT;
    const negated = (record: MapValue) => (judge(record) ? undefined : record);
    stages.push({ ordinal, text, reads, isNegated, judge: isNegated ? negated : judge });
    if (isAsItCame && !isNegated) clues.push(...compiled.clues);
    isAsItCame &&= isNegated || compiled.isOnlyTest;
  }
  return { stages, clues };
}
