// Saves the text of the query as a dataset, a schedule or a batch rule.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import type { Priority } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { Dialog } from '#console/components/dialog.tsx';
import { Checkbox, Field, TextField } from '#console/components/field.tsx';
import { Select } from '#console/components/select.tsx';
import { showToast } from '#console/components/toast.tsx';
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

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly cron: string;
  readonly message: string;
  readonly priority: Priority;
  readonly isEnabled: boolean;
}

const EMPTY: Draft = {
  name: '',
  description: '',
  cron: '0 * * * *',
  message: '',
  priority: 'MEDIUM',
  isEnabled: false,
};
const PRIORITIES: readonly Priority[] = ['HIGH', 'MEDIUM', 'LOW'];
const MAX_RULE_SECONDS = 31_536_000;

export function SaveDialog({ kind, text, seconds, onClose }: SaveDialogProps) {
  const labels = useLabels();
  const { search, common } = labels;
  const [draft, setDraft] = useState(EMPTY);
  const [mistake, setMistake] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const titles = { dataset: search.saveDataset, schedule: search.saveSchedule, rule: search.saveRule };
  async function submit() {
    if (draft.name.trim() === '') return setMistake(search.needsName);
    setSaving(true);
    try {
      await save(kind, draft, { text, seconds });
      showToast(search.saved(draft.name));
      onClose();
    } catch (error) {
      const { text: reason, detail } = failureText(error, labels);
      setMistake(detail === undefined ? reason : `${reason} ${detail}`);
      setSaving(false);
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={titles[kind]}
      {...(kind === 'rule' ? {} : { description: search.rangeNote })}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="save-query" disabled={isSaving}>
            {common.save}
          </Button>
        </>
      }
    >
      <form
        id="save-query"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <pre className={styles.text}>{text}</pre>
        <SaveFields
          kind={kind}
          draft={draft}
          mistake={mistake}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      </form>
    </Dialog>
  );
}

interface SaveFieldsProps {
  readonly kind: SaveKind;
  readonly draft: Draft;
  readonly mistake: string | undefined;
  onChange(change: Partial<Draft>): void;
}

function SaveFields({ kind, draft, mistake, onChange }: SaveFieldsProps) {
  const { search, common, priority: priorities } = useLabels();
  return (
    <>
      <TextField label={common.name} value={draft.name} mistake={mistake} onChange={(name) => onChange({ name })} />
      {kind !== 'dataset' && (
        <TextField
          label={search.cron}
          hint={search.cronHint}
          value={draft.cron}
          onChange={(cron) => onChange({ cron })}
        />
      )}
      {kind === 'rule' && (
        <>
          <TextField
            label={search.message}
            hint={search.messageHint}
            value={draft.message}
            onChange={(message) => onChange({ message })}
          />
          <Field label={search.priority}>
            {() => (
              <Select
                label={search.priority}
                value={draft.priority}
                options={PRIORITIES.map((value) => ({ value, label: priorities[value] }))}
                onChange={(priority) => onChange({ priority })}
              />
            )}
          </Field>
        </>
      )}
      {kind !== 'dataset' && (
        <>
          <TextField
            label={search.description}
            value={draft.description}
            onChange={(description) => onChange({ description })}
          />
          <Checkbox
            label={search.enabled}
            isChecked={draft.isEnabled}
            onChange={(isEnabled) => onChange({ isEnabled })}
          />
        </>
      )}
    </>
  );
}

async function save(
  kind: SaveKind,
  draft: Draft,
  { text, seconds }: Pick<SaveDialogProps, 'text' | 'seconds'>,
): Promise<void> {
  const { name, description, cron, message, priority, isEnabled: enabled } = draft;
  if (kind === 'dataset') {
    await call('POST /api/core/datasets', { name, query: text, shared_users: [], shared_groups: [] });
  } else if (kind === 'schedule') {
    const trigger = { trigger_type: 'cron' as const, cron_schedule: cron };
    await call('POST /api/core/scheduled-queries', { name, description, query: text, enabled, ...trigger });
  } else {
    const duration = Math.max(1, Math.min(MAX_RULE_SECONDS, seconds));
    await call('POST /api/core/batch-rules', {
      name,
      description,
      priority,
      msg: message === '' ? name : message,
      enabled,
      schedule: cron,
      duration,
      query: text,
    });
  }
}
