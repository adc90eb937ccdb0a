// Saves the text of the query as a dataset, a schedule or a batch rule.

import { call } from '#console/client/call.ts';
import type { Priority } from '#console/components/badge.tsx';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './toolbar.module.css';

export type SaveKind = 'dataset' | 'schedule' | 'rule';

interface SaveDialogProps {
  readonly kind: SaveKind;
  readonly text: string;
  /** Seconds of the range of the page: the window of a rule. */
  readonly seconds: number;
  onClose(): void;
}

/** Named as the parameters of the operations. */
interface Draft {
  readonly name: string;
  readonly description: string;
  readonly cron_schedule: string;
  readonly schedule: string;
  readonly msg: string;
  readonly priority: Priority;
  readonly enabled: boolean;
}

const HOURLY = '0 * * * *';
const EMPTY: Draft = {
  name: '',
  description: '',
  cron_schedule: HOURLY,
  schedule: HOURLY,
  msg: '',
  priority: 'MEDIUM',
  enabled: false,
};
const PRIORITIES: readonly Priority[] = ['HIGH', 'MEDIUM', 'LOW'];
const MAX_RULE_SECONDS = 31_536_000;

export function SaveDialog({ kind, text, seconds, onClose }: SaveDialogProps) {
  const labels = useLabels();
  const { search } = labels;
  const titles = { dataset: search.saveDataset, schedule: search.saveSchedule, rule: search.saveRule };
  return (
    <FormDialog<Draft>
      title={titles[kind]}
      {...(kind === 'rule' ? {} : { description: search.rangeNote })}
      fields={fieldsOf(kind, labels)}
      initial={EMPTY}
      onSubmit={async (draft) => {
        await save(kind, draft, { text, seconds });
        showToast(search.saved(draft.name));
        onClose();
      }}
      onClose={onClose}
    >
      {() => <pre className={styles.text}>{text}</pre>}
    </FormDialog>
  );
}

function fieldsOf(kind: SaveKind, { search, common, priority }: Labels): readonly FormField<Draft>[] {
  const name: FormField<Draft> = { kind: 'text', name: 'name', label: common.name, isRequired: true };
  if (kind === 'dataset') return [name];
  const cron = { kind: 'text', label: search.cron, hint: search.cronHint, isRequired: true } as const;
  const rest: readonly FormField<Draft>[] = [
    { kind: 'text', name: 'description', label: search.description },
    { kind: 'switch', name: 'enabled', label: search.enabled },
  ];
  if (kind === 'schedule') return [name, { ...cron, name: 'cron_schedule' }, ...rest];
  return [
    name,
    { ...cron, name: 'schedule' },
    { kind: 'text', name: 'msg', label: search.message, hint: search.messageHint },
    {
      kind: 'choice',
      name: 'priority',
      label: search.priority,
      options: PRIORITIES.map((value) => ({ value, label: priority[value] })),
    },
    ...rest,
  ];
}

async function save(
  kind: SaveKind,
  { name, description, cron_schedule, schedule, msg, priority, enabled }: Draft,
  { text, seconds }: Pick<SaveDialogProps, 'text' | 'seconds'>,
): Promise<void> {
  if (kind === 'dataset') {
    await call('POST /api/core/datasets', { name, query: text, shared_users: [], shared_groups: [] });
  } else if (kind === 'schedule') {
    const trigger = { trigger_type: 'cron' as const, cron_schedule };
    await call('POST /api/core/scheduled-queries', { name, description, query: text, enabled, ...trigger });
  } else {
    await call('POST /api/core/batch-rules', {
      name,
      description,
      priority,
      msg: msg === '' ? name : msg,
      enabled,
      schedule,
      duration: Math.max(1, Math.min(MAX_RULE_SECONDS, seconds)),
      query: text,
    });
  }
}
