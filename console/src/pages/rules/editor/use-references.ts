// The objects that a rule can refer to, as options. One that the rule refers to and that has gone stays an option, so that it
// is seen and can be replaced.

import { useAnswer } from '#console/client/answers.ts';
import type { Option } from '#console/components/form-field.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { FieldsOfRule } from '#console/pages/rules/rule-values.ts';
import type { RuleKind } from '#console/pages/rules/rules-search.ts';

const ALL = { limit: 1000 };

interface Named {
  readonly guid: string;
  readonly name: string;
}

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
  const named = (objects: readonly Named[] | undefined, field: string): readonly Option[] => {
    const options = (objects ?? []).map(({ guid, name }) => ({ value: guid, label: name }));
    if (!objects) return options;
    const gone = referredBy(rule, field).filter(({ guid }) => !options.some(({ value }) => value === guid));
    return [...gone.map(({ guid, name }) => ({ value: guid, label: labels.goneReference(name) })), ...options];
  };
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

/** What a field of a rule refers to, with the names that a version has kept. */
function referredBy(rule: FieldsOfRule, field: string): readonly Named[] {
  const guids = [rule[field]].flat().filter((guid) => typeof guid === 'string');
  const names = [rule[field.replace(/_guid(s?)$/, '_name$1')]].flat();
  return guids.map((guid, index) => {
    const name = names[index];
    return { guid, name: typeof name === 'string' ? name : guid };
  });
}
