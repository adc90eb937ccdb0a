// A schedule that is made or changed: its query, and the times or the schedule that start it.

import { call } from '#console/client/call.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import { QueryControl } from '#console/components/query-editor/query-field.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { Schedule } from './schedules-search.ts';
import { useScheduleRefresh } from './use-schedules.ts';

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly query: string;
  readonly trigger_type: Schedule['trigger_type'];
  readonly cron_schedule: string;
  readonly preceding_guid: string;
  readonly preceding_action: NonNullable<Schedule['preceding_action']>;
  readonly node_types: readonly string[];
  readonly output_parameter: boolean;
  readonly enabled: boolean;
}

const ACTIONS = ['succeeded', 'failed', 'finished'] as const;
const NODE_TYPES = ['control', 'data'] as const;

const draftOf = (schedule: Schedule | undefined): Draft => ({
  name: schedule?.name ?? '',
  description: schedule?.description ?? '',
  query: schedule?.query ?? '',
  trigger_type: schedule?.trigger_type ?? 'cron',
  cron_schedule: schedule?.cron_schedule ?? '0 * * * *',
  preceding_guid: schedule?.preceding_guid ?? '',
  preceding_action: schedule?.preceding_action ?? 'succeeded',
  node_types: schedule?.node_types ?? [],
  output_parameter: schedule?.output_parameter ?? false,
  enabled: schedule?.enabled ?? true,
});

interface ScheduleFormProps {
  /** Undefined for a new one. */
  readonly schedule: Schedule | undefined;
  readonly schedules: readonly Schedule[];
  onClose(): void;
  onSaved(guid: string): void;
}

export function ScheduleForm({ schedule, schedules, onClose, onSaved }: ScheduleFormProps) {
  const labels = useLabels();
  const { schedules: texts } = labels;
  const refresh = useScheduleRefresh();
  const others = schedules.filter(({ guid }) => guid !== schedule?.guid);
  return (
    <FormDialog
      title={schedule ? texts.edit : texts.add}
      isWide
      fields={fieldsOf(labels, others)}
      initial={draftOf(schedule)}
      onClose={onClose}
      onSubmit={async (draft) => {
        const guid = await save(schedule?.guid, draft);
        showToast(texts.saved(draft.name));
        refresh();
        onSaved(guid);
      }}
    />
  );
}

function fieldsOf({ schedules: labels, common }: Labels, others: readonly Schedule[]): readonly FormField<Draft>[] {
  const isCron = ({ trigger_type }: Draft) => trigger_type === 'cron';
  const isWorkflow = ({ trigger_type }: Draft) => trigger_type === 'workflow';
  return [
    { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 255 },
    { kind: 'text', name: 'description', label: labels.description, maxLength: 2000 },
    {
      kind: 'own',
      name: 'query',
      label: labels.query,
      isRequired: true,
      control: ({ value, onChange }) => <QueryControl label={labels.query} text={value} onChange={onChange} />,
    },
    {
      kind: 'choice',
      name: 'trigger_type',
      label: labels.trigger,
      options: (['cron', 'workflow'] as const).map((value) => ({ value, label: labels.triggerTypes[value] })),
    },
    {
      kind: 'text',
      name: 'cron_schedule',
      label: labels.cron,
      hint: labels.cronHint,
      isRequired: true,
      maxLength: 255,
      isShown: isCron,
    },
    {
      kind: 'choice',
      name: 'preceding_guid',
      label: labels.preceding,
      isRequired: true,
      options: others.map(({ guid, name }) => ({ value: guid, label: name })),
      isShown: isWorkflow,
    },
    {
      kind: 'choice',
      name: 'preceding_action',
      label: labels.precedingAction,
      options: ACTIONS.map((value) => ({ value, label: labels.actions[value] })),
      isShown: isWorkflow,
    },
    {
      kind: 'choices',
      name: 'node_types',
      label: labels.nodes,
      options: NODE_TYPES.map((value) => ({ value, label: labels.nodeTypes[value] })),
    },
    {
      kind: 'switch',
      name: 'output_parameter',
      label: labels.outputParameter,
      hint: labels.outputParameterHint,
    },
    { kind: 'switch', name: 'enabled', label: labels.enabled },
  ];
}

async function save(guid: string | undefined, draft: Draft): Promise<string> {
  const { name, description, query, trigger_type, enabled, output_parameter } = draft;
  const fields = {
    name,
    query,
    enabled,
    output_parameter,
    trigger_type,
    ...(description === '' ? {} : { description }),
    ...(trigger_type === 'cron'
      ? { cron_schedule: draft.cron_schedule }
      : { preceding_guid: draft.preceding_guid, preceding_action: draft.preceding_action }),
    ...(draft.node_types.length === 0
      ? {}
      : { node_types: NODE_TYPES.filter((type) => draft.node_types.includes(type)) }),
  };
  if (guid === undefined) return (await call('POST /api/core/scheduled-queries', fields)).guid;
  await call('PUT /api/core/scheduled-queries/:guid', { guid, ...fields });
  return guid;
}
