// The fields of the editor, in the order of the sections.

import type { FormField } from '#console/components/forms/form-field.ts';
import { QueryControl } from '#console/components/query-editor/query-field.tsx';
import type { Labels } from '#console/labels/en.ts';
import { PRIORITIES, type RuleKind } from '#console/pages/rules/rules-search.ts';
import { type ConditionContext, ConditionsField } from './conditions-field.tsx';
import type { RuleDraft } from './draft.ts';
import type { References } from './use-references.ts';

type Fields = readonly FormField<RuleDraft>[];

interface FieldsContext {
  readonly labels: Labels;
  readonly references: References;
  readonly conditions: ConditionContext;
  /** The query of the dataset, which that of the rule continues. */
  readonly lead: string | undefined;
}

export interface Section {
  readonly title: string;
  readonly fields: Fields;
}

export function sectionsOf(kind: RuleKind, context: FieldsContext): readonly Section[] {
  const { sections } = context.labels.rules;
  return [
    { title: sections.basics, fields: basicFields(context) },
    { title: sections.detection, fields: kind === 'batch' ? batchFields(context) : streamFields(context) },
    { title: sections.events, fields: eventFields(context) },
    { title: sections.actions, fields: actionFields(context) },
    { title: sections.review, fields: reviewFields(context) },
  ];
}

function basicFields({ labels: { rules, priority, common }, references }: FieldsContext): Fields {
  return [
    { kind: 'text', name: 'name', label: rules.fields.name, isRequired: true, maxLength: 255 },
    { kind: 'text', name: 'description', label: rules.fields.description, maxLength: 2000 },
    {
      kind: 'choice',
      name: 'priority',
      label: rules.fields.priority,
      options: PRIORITIES.map((value) => ({ value, label: priority[value] })),
    },
    {
      kind: 'choice',
      name: 'category_guid',
      label: rules.fields.category_guid,
      options: references.category_guid,
      noneLabel: common.none,
    },
    { kind: 'text', name: 'msg', label: rules.fields.msg, hint: rules.hints.msg, isRequired: true, maxLength: 2000 },
    { kind: 'switch', name: 'enabled', label: rules.inForce },
  ];
}

const TRUNCATIONS = ['', '60', '3600', '86400'] as const;

function batchFields({ labels: { rules, common }, references, lead }: FieldsContext): Fields {
  const [second, ...larger] = TRUNCATIONS;
  return [
    { kind: 'text', name: 'schedule', label: rules.fields.schedule, hint: rules.hints.schedule, isRequired: true },
    {
      kind: 'number',
      name: 'duration',
      label: rules.inSeconds(rules.fields.duration),
      hint: rules.hints.duration,
      min: 1,
      max: 31_536_000,
    },
    {
      kind: 'choice',
      name: 'datetrunc',
      label: rules.fields.datetrunc,
      noneLabel: rules.truncations[second],
      options: larger.map((value) => ({ value, label: rules.truncations[value] })),
    },
    {
      kind: 'choice',
      name: 'dataset_guid',
      label: rules.fields.dataset_guid,
      options: references.dataset_guid,
      noneLabel: common.none,
    },
    {
      kind: 'own',
      name: 'query',
      label: rules.fields.query,
      hint: rules.hints.query,
      control: ({ value, onChange }) => (
        <QueryControl label={rules.fields.query} lead={lead} text={value} onChange={onChange} />
      ),
    },
  ];
}

function streamFields({ labels: { rules }, references, conditions }: FieldsContext): Fields {
  return [
    {
      kind: 'choice',
      name: 'schema_code',
      label: rules.fields.schema_code,
      options: references.schema_code,
      isRequired: true,
    },
    {
      kind: 'choice',
      name: 'source_type',
      label: rules.fields.source_type,
      options: (['LOGGER', 'LOGGER_MODEL'] as const).map((value) => ({ value, label: rules.sourceTypes[value] })),
    },
    {
      kind: 'choices',
      name: 'logger_guids',
      label: rules.fields.logger_guids,
      hint: rules.hints.loggers,
      options: references.logger_guids,
      isShown: ({ source_type }) => source_type === 'LOGGER',
    },
    {
      kind: 'choices',
      name: 'logger_model_guids',
      label: rules.fields.logger_model_guids,
      hint: rules.hints.loggers,
      options: references.logger_model_guids,
      isShown: ({ source_type }) => source_type === 'LOGGER_MODEL',
    },
    {
      kind: 'own',
      name: 'commands',
      label: rules.fields.commands,
      isRequired: true,
      control: ({ value, onChange }) => <ConditionsField value={value} context={conditions} onChange={onChange} />,
    },
  ];
}

function eventFields({ labels: { rules } }: FieldsContext): Fields {
  return [
    {
      kind: 'text',
      name: 'suppress_key',
      label: rules.fields.suppress_key,
      hint: rules.hints.suppress_key,
      maxLength: 2000,
    },
    {
      kind: 'number',
      name: 'event_suppress_interval',
      label: rules.inSeconds(rules.fields.event_suppress_interval),
      min: 0,
    },
    { kind: 'switch', name: 'keep_alive', label: rules.fields.keep_alive },
    {
      kind: 'text',
      name: 'field_order',
      label: rules.fields.field_order,
      hint: rules.hints.field_order,
      maxLength: 2000,
    },
    { kind: 'texts', name: 'mitre_techniques', label: rules.fields.mitre_techniques, hint: rules.hints.mitre },
    { kind: 'texts', name: 'mitre_tactics', label: rules.fields.mitre_tactics },
  ];
}

function actionFields(context: FieldsContext): Fields {
  return [...noticeFields(context), ...ticketFields(context)];
}

function noticeFields({ labels: { rules, common }, references }: FieldsContext): Fields {
  const hasGroup = ({ address_group_guid }: RuleDraft) => address_group_guid !== '';
  return [
    {
      kind: 'choice',
      name: 'alarm_group_guid',
      label: rules.fields.alarm_group_guid,
      options: references.alarm_group_guid,
      noneLabel: common.none,
    },
    {
      kind: 'choice',
      name: 'address_group_guid',
      label: rules.fields.address_group_guid,
      options: references.address_group_guid,
      noneLabel: common.none,
    },
    { kind: 'text', name: 'address_field', label: rules.fields.address_field, maxLength: 50, isShown: hasGroup },
    {
      kind: 'number',
      name: 'blacklist_expire_minute',
      label: rules.fields.blacklist_expire_minute,
      min: 1,
      isShown: hasGroup,
    },
  ];
}

function ticketFields({ labels: { rules }, references }: FieldsContext): Fields {
  const hasTicket = ({ ticket_issue_cond }: RuleDraft) => ticket_issue_cond !== 'NEVER';
  return [
    {
      kind: 'choice',
      name: 'ticket_issue_cond',
      label: rules.fields.ticket_issue_cond,
      options: (['NEVER', 'ETIR_THRESHOLD', 'ALWAYS'] as const).map((value) => ({
        value,
        label: rules.ticketConditions[value],
      })),
    },
    {
      kind: 'number',
      name: 'ticket_threshold',
      label: rules.fields.ticket_threshold,
      min: 1,
      isShown: ({ ticket_issue_cond }) => ticket_issue_cond === 'ETIR_THRESHOLD',
    },
    {
      kind: 'choice',
      name: 'ticket_repo_guid',
      label: rules.fields.ticket_repo_guid,
      options: references.ticket_repo_guid,
      isRequired: true,
      isShown: hasTicket,
    },
    {
      kind: 'choices',
      name: 'ticket_assignee_guids',
      label: rules.fields.ticket_assignee_guids,
      options: references.ticket_assignee_guids,
      isShown: hasTicket,
    },
    {
      kind: 'number',
      name: 'ticket_suppress_interval',
      label: rules.inSeconds(rules.fields.ticket_suppress_interval),
      min: 0,
      isShown: hasTicket,
    },
  ];
}

function reviewFields({ labels: { rules, common }, references }: FieldsContext): Fields {
  return [
    {
      kind: 'choice',
      name: 'audit_category_guid',
      label: rules.fields.audit_category_guid,
      options: references.audit_category_guid,
      noneLabel: common.none,
    },
    {
      kind: 'choices',
      name: 'reviewer_guids',
      label: rules.fields.reviewer_guids,
      options: references.reviewer_guids,
    },
    {
      kind: 'choice',
      name: 'auditor_guid',
      label: rules.fields.auditor_guid,
      options: references.auditor_guid,
      noneLabel: common.none,
    },
    { kind: 'number', name: 'audit_days', label: rules.fields.audit_days, min: 1, max: 365 },
    { kind: 'text', name: 'employee_key_field', label: rules.fields.employee_key_field, maxLength: 50 },
    { kind: 'text', name: 'comment', label: rules.comment, hint: rules.commentHint, maxLength: 2000 },
  ];
}
