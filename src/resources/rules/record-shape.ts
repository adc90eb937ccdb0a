// The shapes of rules as they are read. The fields are those of a snapshot, each reference followed by the names of what it
// refers to.

import { PRIORITIES, type RuleKind, SOURCE_TYPES, TICKET_CONDITIONS } from '#detection/rules/rule-kinds.ts';
import { RULE_MEANINGS } from '#detection/rules/rule-meanings.ts';
import {
  arrayOf,
  boolean,
  choice,
  describedFields,
  guidText,
  int32,
  map,
  optional,
  orNull,
  record,
  stamp,
  string,
  type Typed,
  type TypeOf,
} from '#operations/answers/shapes.ts';

const tactic = record('MitreTactic', {
  mitre_id: string('Id of the tactic.', 'TA0006'),
  name: orNull(string)('Name of the tactic; null for an unknown id.', 'Credential Access'),
});

const technique = record('MitreTechnique', {
  mitre_id: string('Id of the technique.', 'T1110.003'),
  name: orNull(string)('Name of the technique; null for an unknown id.', 'Password Spraying'),
  display_name: orNull(string)(
    'Name with that of the technique above it; null for an unknown id.',
    'Brute Force: Password Spraying',
  ),
  url: orNull(string)(
    'Address of the description; null for an unknown id.',
    'https://attack.mitre.org/techniques/T1110/003',
  ),
  tactics: arrayOf(tactic)('Tactics that the technique serves.'),
});

const condition = record('RuleCondition', {
  template_id: int32('Id of the condition template; 1 is free query text.'),
  field_name: optional(string('Field that the condition reads; absent with template 1.', 'src_ip')),
  args: optional(map('Arguments of the template; absent with template 1.', { ip: '10.0.0.7' })),
  query: string('Query of the condition.', 'search src_ip == ip("10.0.0.7")'),
  invert: boolean('Whether the condition is inverted.'),
  ordinal: int32('Position in the order of the checks.'),
});

const guids = arrayOf(guidText);
const names = arrayOf(orNull(string));

const first = {
  guid: guidText,
  priority: choice(PRIORITIES),
  name: string,
  description: optional(string),
  msg: string,
  category_guid: orNull(guidText),
  category_name: orNull(string),
};

const batchOnly = {
  schedule: string,
  duration: optional(int32),
  datetrunc: optional(int32),
  dataset_guid: orNull(guidText),
  dataset_name: orNull(string),
  query: optional(string),
};

const streamOnly = {
  schema_code: orNull(string),
  schema_name: orNull(string),
  source_type: choice(SOURCE_TYPES),
  logger_guids: guids,
  logger_names: names,
  logger_model_guids: guids,
  logger_model_names: names,
  commands: arrayOf(condition),
};

const actions = {
  address_group_guid: orNull(guidText),
  address_group_name: orNull(string),
  address_field: optional(string),
  blacklist_expire_minute: optional(int32),
  ticket_issue_cond: choice(TICKET_CONDITIONS),
  ticket_threshold: int32,
  ticket_repo_guid: orNull(guidText),
  ticket_repo_name: orNull(string),
  ticket_assignee_guids: guids,
  ticket_assignee_names: names,
  ticket_suppress_interval: int32,
  event_suppress_interval: int32,
  suppress_key: optional(string),
  keep_alive: boolean,
  mitre_techniques: arrayOf(technique),
  mitre_tactics: arrayOf(tactic),
  audit_category_guid: orNull(guidText),
  audit_category_name: orNull(string),
  reviewer_guids: guids,
  reviewer_names: names,
  auditor_guid: orNull(guidText),
  auditor_name: orNull(string),
  audit_days: int32,
  employee_key_field: optional(string),
  alarm_group_guid: orNull(guidText),
  alarm_group_name: orNull(string),
  field_order: optional(string),
};

const state = { enabled: boolean, version: int32 };

const runs = {
  last_run_time: orNull(stamp),
  next_run_time: orNull(stamp),
  last_success_time: orNull(stamp),
};

const failure = {
  last_failure_time: orNull(stamp),
  last_failure_reason: orNull(string),
  query_error: orNull(string),
};

const author = { user_guid: guidText, user_name: string, created: stamp, updated: stamp };

const shapes = {
  batch: record(
    'BatchRule',
    describedFields(
      {
        ...first,
        ...batchOnly,
        ...actions,
        ...state,
        ...runs,
        ...failure,
        running: boolean,
        ...author,
      },
      RULE_MEANINGS,
    ),
  ),
  stream: record(
    'StreamRule',
    describedFields({ ...first, ...streamOnly, ...actions, ...state, ...failure, ...author }, RULE_MEANINGS),
  ),
};

export type RuleRecord<K extends RuleKind> = { [P in RuleKind]: TypeOf<(typeof shapes)[P]> }[K];

/** The type of an indexed access is that of one member only after the kind is known, which the compiler does not follow. */
export const ruleShape = <K extends RuleKind>(kind: K): Typed<RuleRecord<K>> =>
  shapes[kind] as Typed<unknown> as Typed<RuleRecord<K>>;
