// The writable fields of a scheduled query, in the order of validation.

import { onlyWith, someOf } from '#http/choice-params.ts';
import { anyText, flag, guid, oneOf, orElse, required, text } from '#http/params.ts';
import { cron } from '#scheduler/cron-param.ts';
import { NODE_TYPES } from '#scheduler/job-kind.ts';

export const TRIGGER_TYPES = ['cron', 'workflow'] as const;
export const PRECEDING_ACTIONS = ['finished', 'succeeded', 'failed'] as const;

const example = <T extends { schema: object }>(reader: T, value: string) => ({
  ...reader,
  isInExample: true,
  schema: { ...reader.schema, examples: [value] },
});

export const fields = {
  name: required(text(255)),
  description: text(2000),
  enabled: orElse(flag, false),
  query: required(example(anyText, 'table duration=1h web | stats count by status')),
  trigger_type: required(oneOf(TRIGGER_TYPES)),
  cron_schedule: onlyWith('trigger_type', 'cron', required(example(cron, '0 * * * *'))),
  preceding_action: onlyWith('trigger_type', 'workflow', required(oneOf(PRECEDING_ACTIONS))),
  preceding_guid: onlyWith('trigger_type', 'workflow', required(guid)),
  node_types: someOf(NODE_TYPES),
  output_parameter: orElse(flag, false),
};
