// The objects that a rule can refer to, as options.

import { useAnswer } from '#console/client/answers.ts';
import type { Option } from '#console/components/forms/form-field.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { FieldsOfRule } from '#console/pages/rules/rule-values.ts';
import type { RuleKind } from '#console/pages/rules/rules-search.ts';
import { type Named, referenceOptions } from './reference-options.ts';

const ALL = { limit: 1000 };

export function useReferences(kind: RuleKind, rule: FieldsOfRule) {
  const { rules: labels } = useLabels();
  const isStream = { isEnabled: kind === 'stream' };
  const categories = useAnswer('GET /api/core/rule-categories', ALL).data?.rule_categories;
  const datasets = useAnswer('GET /api/core/datasets', ALL, { isEnabled: kind === 'batch' }).data?.datasets;
  const schemas = useAnswer('GET /api/core/log-schemas', ALL, isStream).data?.schemas;
  const loggers = useAnswer('GET /api/core/loggers', ALL, isStream).data?.loggers;
  const models = useAnswer('GET /api/core/logger-models', ALL, isStream).data?.logger_models;
  const addressGroups = useAnswer('GET /api/core/address-groups', ALL).data?.address_groups;
  const alarmGroups = useAnswer('GET /api/core/alarm-groups', ALL).data?.alarm_groups;
  const repositories = useAnswer('GET /api/core/ticket-repos', ALL).data?.ticket_repos;
  const users = useAnswer('GET /api/core/users', ALL).data?.users;
  const auditCategories = useAnswer('GET /api/core/audit-categories', ALL).data?.audit_categories;
  const named = (objects: readonly Named[] | undefined, field: string): readonly Option[] =>
    objects ? referenceOptions(objects, { rule, field, goneLabel: labels.goneReference }) : [];
  return {
    category_guid: named(categories, 'category_guid'),
    dataset_guid: named(datasets, 'dataset_guid'),
    schema_code: (schemas ?? []).map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
    logger_guids: named(loggers, 'logger_guids'),
    logger_model_guids: named(models, 'logger_model_guids'),
    address_group_guid: named(addressGroups, 'address_group_guid'),
    alarm_group_guid: named(alarmGroups, 'alarm_group_guid'),
    ticket_repo_guid: named(repositories, 'ticket_repo_guid'),
    ticket_assignee_guids: named(users, 'ticket_assignee_guids'),
    reviewer_guids: named(users, 'reviewer_guids'),
    auditor_guid: named(users, 'auditor_guid'),
    audit_category_guid: named(auditCategories, 'audit_category_guid'),
    schemas: schemas ?? [],
  };
}

export type References = ReturnType<typeof useReferences>;
