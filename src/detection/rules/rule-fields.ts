// The writable fields of rules, in the order of validation, comparison and display.

import { missing } from '#contract/errors.ts';
import { described, describedBy } from '#operations/described.ts';
import { array, map, members, reading } from '#operations/params/json-params.ts';
import { anyInt, oneOfNumbers } from '#operations/params/number-params.ts';
import {
  alongside,
  flag,
  guid,
  guids,
  int,
  oneOf,
  orElse,
  type Params,
  type Reader,
  required,
  text,
  words,
} from '#operations/params/params.ts';
import { newGuidParam } from '#operations/shared-fields.ts';
import { cron } from '#scheduler/cron/cron-param.ts';
import { type RawCondition, requireComplete } from './condition-templates.ts';
import { PRIORITIES, type RuleKind, SOURCE_TYPES, TICKET_CONDITIONS } from './rule-kinds.ts';
import { RULE_MEANINGS } from './rule-meanings.ts';

const YEAR_SECONDS = 31_536_000n;

const beginning = {
  name: required(text(255)),
  description: text(2000),
  msg: required(text(2000)),
  enabled: orElse(flag, false),
  category_guid: guid,
};

const batchOnly = {
  schedule: required(cron),
  duration: int(1n, YEAR_SECONDS),
  datetrunc: oneOfNumbers([1, 60, 3600, 86_400]),
  dataset_guid: guid,
  query: alongside(text(65_535), (query, { dataset_guid }) => {
    if (query === undefined && dataset_guid === undefined) throw missing('query');
  }),
};

const conditionMembers = members({
  template_id: required(anyInt, 'Id of the template.'),
  field_name: described(text(255), 'Field that is examined.', 'status'),
  args: described(map, 'Arguments of the template.', { number: 400 }),
  query: described(text(65_535), 'Query of a condition without a template of its own.', 'search status >= 400'),
  invert: orElse(flag, false, 'Whether the condition is inverted.'),
  ordinal: described(anyInt, 'Position among the conditions.', 1),
});

const condition = reading(conditionMembers, (value, name, context): RawCondition => {
  const given = conditionMembers(value, name, context);
  requireComplete(given);
  return given;
});

export const conditionsParam = array({ examples: [[{ template_id: 1, query: 'search status == 401' }]] }, condition);

const streamOnly = {
  schema_code: required(text(50)),
  source_type: orElse(oneOf(SOURCE_TYPES), 'LOGGER'),
  logger_guids: guids,
  logger_model_guids: guids,
  commands: required(conditionsParam),
};

const ending = {
  address_group_guid: guid,
  address_field: text(50),
  blacklist_expire_minute: int(1n, 5_256_000n),
  ticket_issue_cond: orElse(oneOf(TICKET_CONDITIONS), 'NEVER'),
  ticket_threshold: orElse(int(1n, 1_000_000n), 1),
  ticket_repo_guid: alongside(guid, (repo, { ticket_issue_cond }) => {
    if (repo === undefined && ticket_issue_cond !== 'NEVER') throw missing('ticket_repo_guid');
  }),
  ticket_assignee_guids: guids,
  /** Alternative to a list with one element. */
  ticket_assignee_guid: guid,
  ticket_suppress_interval: orElse(int(0n, YEAR_SECONDS), 0),
  event_suppress_interval: orElse(int(0n, YEAR_SECONDS), 0),
  suppress_key: text(2000),
  keep_alive: orElse(flag, false),
  mitre_techniques: words,
  mitre_tactics: words,
  audit_category_guid: guid,
  reviewer_guids: guids,
  /** Alternative to a list with one element. */
  reviewer_guid: guid,
  auditor_guid: guid,
  audit_days: orElse(int(1n, 365n), 14),
  employee_key_field: text(50),
  alarm_group_guid: guid,
  field_order: text(2000),
  comment: text(2000),
};

const priority: Reader<(typeof PRIORITIES)[number]> = required(oneOf(PRIORITIES));

const FIELDS = {
  batch: { ...beginning, ...batchOnly, ...ending },
  stream: { ...beginning, ...streamOnly, ...ending },
} as const satisfies Record<RuleKind, Params>;

/** Parameters of a new rule, with an optional GUID, and of an update. */
export const newRule = {
  batch: describedBy({ priority, guid: newGuidParam, ...FIELDS.batch }, RULE_MEANINGS),
  stream: describedBy({ priority, guid: newGuidParam, ...FIELDS.stream }, RULE_MEANINGS),
} as const;

export const changedRule = {
  batch: describedBy({ guid: required(guid), priority, ...FIELDS.batch }, RULE_MEANINGS),
  stream: describedBy({ guid: required(guid), priority, ...FIELDS.stream }, RULE_MEANINGS),
} as const;

/** Not part of a snapshot: `enabled` is operational state, the others are alternative spellings or belong to the version. */
const NOT_KEPT: ReadonlySet<string> = new Set(['enabled', 'comment', 'ticket_assignee_guid', 'reviewer_guid']);

/** The fields of a snapshot, in their order. */
export const snapshotFields = (kind: RuleKind): readonly string[] => [
  'priority',
  ...Object.keys(FIELDS[kind]).filter((name) => !NOT_KEPT.has(name)),
];
