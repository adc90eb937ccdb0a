// The writable fields of a scheduled query, in the order of validation.

import { NODE_TYPES } from '#contract/values.ts';
import { described } from '#operations/described.ts';
import { onlyWith, someOf } from '#operations/params/choice-params.ts';
import { anyText, flag, guid, oneOf, orElse, required, text } from '#operations/params/params.ts';
import { cron } from '#scheduler/cron/cron-param.ts';

export const TRIGGER_TYPES = ['cron', 'workflow'] as const;
export const PRECEDING_ACTIONS = ['finished', 'succeeded', 'failed'] as const;

const example = <T extends { schema: object }>(reader: T, value: string) => ({
  ...reader,
  isInExample: true,
  schema: { ...reader.schema, examples: [value] },
});

export const fields = {
  name: required(text(255), 'Name of the scheduled query, unique among scheduled queries.'),
  description: described(text(2000), 'Description of the scheduled query, for people.'),
  enabled: orElse(flag, false, 'Whether the schedule is in force.'),
  query: required(example(anyText, 'table duration=1h web | stats count by status'), 'Text of the query.'),
  trigger_type: required(
    oneOf(TRIGGER_TYPES),
    'Kind of trigger: a cron schedule, or the end of another scheduled query.',
  ),
  cron_schedule: described(
    onlyWith('trigger_type', 'cron', required(example(cron, '0 * * * *'))),
    'Schedule of the slots.',
  ),
  preceding_action: described(
    onlyWith('trigger_type', 'workflow', required(oneOf(PRECEDING_ACTIONS))),
    'Result of the preceding run that starts this one.',
  ),
  preceding_guid: described(
    onlyWith('trigger_type', 'workflow', required(guid)),
    'GUID of the scheduled query that this one follows.',
  ),
  node_types: described(someOf(NODE_TYPES), 'Kinds of nodes that may run the query; any where absent.'),
  output_parameter: orElse(
    flag,
    false,
    'Whether the last row of the result becomes parameters of the following query.',
  ),
};
