// The fields of a rule as lines of output. References are shown by name; a missing object is shown by its key, in red.

import type { Field } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import type { Rule } from './rule.ts';

export const listedFields = (translator: Translator): readonly Field<Rule>[] => [
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-kind', text: ({ kind }) => kind },
  { title: 'field-enabled', text: ({ enabled }) => translator.text(enabled ? 'yes' : 'no') },
  { title: 'field-priority', text: ({ priority }) => priority },
  { title: 'field-version', isNumeric: true, text: ({ version }) => String(version) },
  { title: 'field-updated', isTime: true, text: ({ updated }) => updated },
  { title: 'field-author', text: ({ user_name }) => user_name },
  { title: 'field-guid', text: ({ guid }) => guid },
];

/** Title, the field that refers, and the one with names. */
const REFERENCES: readonly (readonly [MessageCode, keyof Rule, keyof Rule])[] = [
  ['field-category', 'category_guid', 'category_name'],
  ['field-dataset', 'dataset_guid', 'dataset_name'],
  ['field-schema', 'schema_code', 'schema_name'],
  ['field-loggers', 'logger_guids', 'logger_names'],
  ['field-logger-models', 'logger_model_guids', 'logger_model_names'],
  ['field-address-group', 'address_group_guid', 'address_group_name'],
  ['field-ticket-repo', 'ticket_repo_guid', 'ticket_repo_name'],
  ['field-assignees', 'ticket_assignee_guids', 'ticket_assignee_names'],
  ['field-audit-category', 'audit_category_guid', 'audit_category_name'],
  ['field-reviewers', 'reviewer_guids', 'reviewer_names'],
  ['field-auditor', 'auditor_guid', 'auditor_name'],
  ['field-alarm-group', 'alarm_group_guid', 'alarm_group_name'],
];

/** Absent fields are left out. */
export const allFields = (translator: Translator): readonly Field<Rule>[] => [
  ...listedFields(translator),
  { title: 'field-created', isTime: true, text: ({ created }) => created },
  { title: 'field-description', text: ({ description }) => description },
  { title: 'field-message', text: ({ msg }) => msg },
  { title: 'field-cron', text: ({ schedule }) => schedule },
  { title: 'field-last-run', isTime: true, text: ({ last_run_time }) => last_run_time ?? undefined },
  { title: 'field-next-run', isTime: true, text: ({ next_run_time }) => next_run_time ?? undefined },
  { title: 'field-last-success', isTime: true, text: ({ last_success_time }) => last_success_time ?? undefined },
  { title: 'field-last-failure', isTime: true, text: ({ last_failure_time }) => last_failure_time ?? undefined },
  { title: 'field-last-failure-reason', text: ({ last_failure_reason }) => last_failure_reason ?? undefined },
  { title: 'field-rule-error', text: ({ query_error }) => query_error ?? undefined, isBad: () => true },
  { title: 'field-query', text: ({ query }) => query },
  { title: 'field-conditions', text: ({ commands }) => commands?.map(({ query }) => query).join('; ') },
  { title: 'field-ticket-cond', text: ({ ticket_issue_cond }) => ticket_issue_cond },
  ...REFERENCES.map(
    ([title, field, names]): Field<Rule> => ({
      title,
      text: (rule) => referenceText(rule, { field, names }, translator),
      isBad: (rule) => listOf(rule[names]).includes(null) && listOf(rule[field]).some((key) => key !== null),
    }),
  ),
];

function referenceText(rule: Rule, { field, names }: { field: keyof Rule; names: keyof Rule }, { text }: Translator) {
  const keys = listOf(rule[field]).filter((key) => key !== null);
  if (keys.length === 0) return undefined;
  const shown = listOf(rule[names]);
  return keys.map((key, index) => shown[index] ?? text('rule-reference-gone', { key: String(key) })).join(', ');
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value ?? null]);
