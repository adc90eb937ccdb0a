// A rule while it is edited: texts and lists, as inputs have them; absent values are empty.

import type { FieldsOfRule } from '#console/pages/rules/rule-values.ts';
import type { BatchRule, RuleKind } from '#console/pages/rules/rules-search.ts';
import { type ConditionDraft, commandsOf, draftOfCondition } from './conditions.ts';

export interface RuleDraft {
  readonly name: string;
  readonly description: string;
  readonly priority: BatchRule['priority'];
  readonly category_guid: string;
  readonly msg: string;
  readonly enabled: boolean;
  readonly schedule: string;
  readonly duration: number | undefined;
  readonly datetrunc: string;
  readonly dataset_guid: string;
  readonly query: string;
  readonly schema_code: string;
  readonly source_type: 'LOGGER' | 'LOGGER_MODEL';
  readonly logger_guids: readonly string[];
  readonly logger_model_guids: readonly string[];
  readonly commands: readonly ConditionDraft[];
  readonly suppress_key: string;
  readonly event_suppress_interval: number | undefined;
  readonly keep_alive: boolean;
  readonly field_order: string;
  readonly mitre_techniques: readonly string[];
  readonly mitre_tactics: readonly string[];
  readonly address_group_guid: string;
  readonly address_field: string;
  readonly blacklist_expire_minute: number | undefined;
  readonly alarm_group_guid: string;
  readonly ticket_issue_cond: BatchRule['ticket_issue_cond'];
  readonly ticket_repo_guid: string;
  readonly ticket_threshold: number | undefined;
  readonly ticket_assignee_guids: readonly string[];
  readonly ticket_suppress_interval: number | undefined;
  readonly audit_category_guid: string;
  readonly reviewer_guids: readonly string[];
  readonly auditor_guid: string;
  readonly audit_days: number | undefined;
  readonly employee_key_field: string;
  readonly comment: string;
}

const EMPTY: RuleDraft = {
  name: '',
  description: '',
  priority: 'MEDIUM',
  category_guid: '',
  msg: '',
  enabled: false,
  schedule: '*/5 * * * *',
  duration: 900,
  datetrunc: '',
  dataset_guid: '',
  query: '',
  schema_code: '',
  source_type: 'LOGGER',
  logger_guids: [],
  logger_model_guids: [],
  commands: [],
  suppress_key: '',
  event_suppress_interval: 0,
  keep_alive: false,
  field_order: '',
  mitre_techniques: [],
  mitre_tactics: [],
  address_group_guid: '',
  address_field: '',
  blacklist_expire_minute: undefined,
  alarm_group_guid: '',
  ticket_issue_cond: 'NEVER',
  ticket_repo_guid: '',
  ticket_threshold: 1,
  ticket_assignee_guids: [],
  ticket_suppress_interval: 0,
  audit_category_guid: '',
  reviewer_guids: [],
  auditor_guid: '',
  audit_days: 14,
  employee_key_field: '',
  comment: '',
};

export const newDraft = (): RuleDraft => ({ ...EMPTY, commands: [draftOfCondition({ template_id: 1 }, 1)] });

/** Of a record or a version. A version does not say whether the rule is in force; the rule does. */
export function draftOf(rule: FieldsOfRule, enabled: boolean): RuleDraft {
  const known = Object.keys(EMPTY).filter((name) => rule[name] !== undefined && rule[name] !== null);
  const fields = Object.fromEntries(known.map((name) => [name, rule[name]]));
  const ids = (value: unknown) => (Array.isArray(value) ? value.map(idOf) : []);
  return {
    ...EMPTY,
    // Without it the query of a batch rule reads the times that it names itself.
    duration: undefined,
    ...fields,
    enabled,
    comment: '',
    datetrunc: typeof rule.datetrunc === 'number' ? String(rule.datetrunc) : '',
    commands: Array.isArray(rule.commands)
      ? rule.commands.map((command, index) => draftOfCondition(command, index + 1))
      : [],
    mitre_techniques: ids(rule.mitre_techniques),
    mitre_tactics: ids(rule.mitre_tactics),
  };
}

/** Records have names and links beside the ids of techniques and tactics. */
const idOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'mitre_id' in value ? String(value.mitre_id) : String(value);

const BATCH_ONLY = ['schedule', 'duration', 'datetrunc', 'dataset_guid', 'query'] as const;
const STREAM_ONLY = ['schema_code', 'source_type', 'logger_guids', 'logger_model_guids', 'commands'] as const;

/** The fields of the kind; what is empty takes its default. */
export function requestOf(kind: RuleKind, draft: RuleDraft): Readonly<Record<string, unknown>> {
  const foreign: readonly string[] = kind === 'batch' ? STREAM_ONLY : BATCH_ONLY;
  const fields = {
    ...draft,
    datetrunc: draft.datetrunc === '' ? undefined : Number(draft.datetrunc),
    commands: commandsOf(draft.commands),
  };
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        !foreign.includes(name) && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
