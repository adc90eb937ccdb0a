// Conditions of a stream rule while they are edited: arguments as the texts of their inputs.

import type { AnswerFor, RequestFor } from '#client/call.ts';

export type Template = AnswerFor<'GET /api/core/stream-rule-command-templates'>['templates'][number];
export type ArgumentSpec = Template['config_specs'][number];
/** As the operations take it. */
export type Command = Exclude<NonNullable<RequestFor<'POST /api/core/stream-rules/test'>['commands']>[number], string>;

/** The template whose condition is query text of its own. */
export const FREE_TEXT = 1;

export interface ConditionDraft {
  /** Stays with the condition while it is moved. */
  readonly key: number;
  readonly template_id: number;
  readonly field_name: string;
  readonly args: Readonly<Record<string, string | readonly string[]>>;
  readonly query: string;
  readonly invert: boolean;
}

export const newCondition = (key: number): ConditionDraft => ({
  key,
  template_id: FREE_TEXT,
  field_name: '',
  args: {},
  query: '',
  invert: false,
});

interface StoredCondition {
  readonly template_id: number;
  readonly field_name?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: string | undefined;
  readonly invert?: boolean | undefined;
}

export const draftOfCondition = (condition: StoredCondition, key: number): ConditionDraft => ({
  key,
  template_id: condition.template_id,
  field_name: condition.field_name ?? '',
  args: Object.fromEntries(
    Object.entries(condition.args ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  ),
  query: condition.query ?? '',
  invert: condition.invert ?? false,
});

export const commandsOf = (conditions: readonly ConditionDraft[]): Command[] =>
  conditions.map(({ template_id, field_name, args, query, invert }, index) => ({
    template_id,
    invert,
    ordinal: index + 1,
    // The service makes the query of the others from their template.
    ...(template_id === FREE_TEXT ? { query } : { field_name, args }),
  }));
