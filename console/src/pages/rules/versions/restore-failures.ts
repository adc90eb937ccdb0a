// What a restore refuses, by the fields of a rule. The contract has other words for batch rules than for stream rules.

import type { AnswerFor } from '#client/call.ts';
import type { RuleField } from '#console/pages/rules/rule-values.ts';

type Failure = AnswerFor<'POST /api/core/batch-rules/:guid/versions/:version/restore'>['failures'][number];

const FIELDS: Readonly<Record<string, RuleField>> = {
  name: 'name',
  category: 'category_guid',
  rule_category: 'category_guid',
  dataset: 'dataset_guid',
  schema: 'schema_code',
  logger: 'logger_guids',
  logger_model: 'logger_model_guids',
  address_group: 'address_group_guid',
  ticket_repo: 'ticket_repo_guid',
  ticket_assignee: 'ticket_assignee_guids',
  audit_category: 'audit_category_guid',
  reviewer: 'reviewer_guids',
  auditor: 'auditor_guid',
  alarm_group: 'alarm_group_guid',
};

export interface BrokenField {
  readonly field: RuleField;
  readonly name: string;
  readonly reason: Failure['reason'];
}

export function fieldOfFailure(failure: Failure): BrokenField {
  const [code, name] = 'id' in failure ? [failure.id, failure.name] : [failure.field, failure.value];
  return { field: FIELDS[code] ?? 'name', name, reason: failure.reason };
}
