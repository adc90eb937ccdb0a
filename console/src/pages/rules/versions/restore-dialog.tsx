// Puts an old version in force again. What it refers to is checked first, by the same operation without a change: every thing
// that is gone is named, with a way to mend it.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { call, callWith } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { Callout } from '#console/components/callout.tsx';
import { TextField } from '#console/components/forms/field.tsx';
import { FormDialog } from '#console/components/forms/form.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { QueryControl } from '#console/components/query-editor/query-field.tsx';
import { Failed, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { FieldsOfRule } from '#console/pages/rules/rule-values.ts';
import styles from '#console/pages/rules/rules.module.css';
import type { RuleKind } from '#console/pages/rules/rules-search.ts';
import { useRuleRefresh } from '#console/pages/rules/use-rules.ts';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import { fieldOfFailure } from './restore-failures.ts';
import { Sides } from './version-diff.tsx';

type Check = AnswerFor<'POST /api/core/batch-rules/:guid/versions/:version/restore'>;

interface RestoreDialogProps {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly version: number;
  onClose(): void;
  /** In the editor, where other things can be chosen in place of those that are gone. */
  onEdit(): void;
}

/** The check of a restore, and the restore itself. */
function useRestore({ kind, guid, version, onClose }: Omit<RestoreDialogProps, 'onEdit'>) {
  const labels = useLabels();
  const refresh = useRuleRefresh();
  const [mistake, setMistake] = useState<string>();
  const [isSending, setSending] = useState(false);
  const operation = `POST /api/core/${kind}-rules/:guid/versions/:version/restore` as const;
  const check = useQuery({
    queryKey: [operation, guid, version],
    queryFn: ({ signal }) => callWith({ signal }, operation, { guid, version, dry_run: true }),
    staleTime: 0,
    gcTime: 0,
  });
  async function restore(comment: string) {
    setSending(true);
    try {
      const answer = await call(operation, { guid, version, ...(comment === '' ? {} : { comment }) });
      if (!answer.result) {
        // Something has gone since the check.
        setSending(false);
        return void check.refetch();
      }
      showToast(labels.rules.restored(version));
      refresh();
      onClose();
    } catch (error) {
      setMistake(failureText(error, labels).text);
      setSending(false);
    }
  }
  return { check, restore, mistake, isSending };
}

export function RestoreDialog({ onEdit, ...props }: RestoreDialogProps) {
  const { kind, guid, version, onClose } = props;
  const { rules, common } = useLabels();
  const [comment, setComment] = useState('');
  const hold = useUnsaved(comment !== '', { onDiscarded: onClose });
  const { check, restore, mistake, isSending } = useRestore(props);
  const close = async () => {
    if (await hold.mayDiscard()) onClose();
  };
  return (
    <Dialog
      isOpen
      isWide
      onClose={() => void close()}
      title={rules.restoreVersion(version)}
      description={rules.restoreText}
      footer={
        <>
          <Button onClick={() => void close()}>{common.cancel}</Button>
          <Button icon="refresh" disabled={check.isFetching} onClick={() => void check.refetch()}>
            {rules.checkAgain}
          </Button>
          <Button kind="primary" disabled={!check.data?.result || isSending} onClick={() => void restore(comment)}>
            {rules.restore}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {check.data && (
          <Findings
            check={check.data}
            subject={{ kind, guid, version }}
            onMended={() => void check.refetch()}
            onEdit={onEdit}
          />
        )}
        {!check.data && (check.error ? <Failed error={check.error} /> : <Loading lines={3} />)}
        <TextField
          label={rules.comment}
          hint={rules.commentHint}
          maxLength={2000}
          mistake={mistake}
          value={comment}
          onChange={setComment}
        />
      </div>
    </Dialog>
  );
}

interface Subject {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly version: number;
}

interface FindingsProps {
  readonly check: Check;
  readonly subject: Subject;
  onMended(): void;
  onEdit(): void;
}

function Findings({ check, subject, onMended, onEdit }: FindingsProps) {
  const { rules } = useLabels();
  const { failures, query_error } = check;
  const broken = failures.map(fieldOfFailure);
  return (
    <>
      {failures.length === 0 ? (
        <Callout tone="good">{rules.canRestore}</Callout>
      ) : (
        <Callout isAlert>
          <strong>{rules.cannotRestore}</strong>
          <ul>
            {broken.map(({ field, name, reason }) => (
              <li key={`${field} ${name}`}>{rules.failures[reason](rules.fields[field], name)}</li>
            ))}
          </ul>
          <div className={styles.toolbar}>
            {broken.some(({ field, reason }) => field === 'dataset_guid' && reason === 'not-found') && (
              <MendDataset subject={subject} onMended={onMended} />
            )}
            <Button size="small" icon="edit" title={rules.editInsteadHint} onClick={onEdit}>
              {rules.editInstead}
            </Button>
          </div>
        </Callout>
      )}
      {failures.length === 0 && query_error !== undefined && query_error !== null && (
        <Callout>
          <strong>{rules.wouldNotWork}</strong> {query_error}
        </Callout>
      )}
      <Changes check={check} subject={subject} />
    </>
  );
}

/** From the rule as it stands to the version, with the names that references had. */
function Changes({
  check: { changes = [] },
  subject: { kind, guid, version },
}: Pick<FindingsProps, 'check' | 'subject'>) {
  const { rules } = useLabels();
  const now = useAnswer(`GET /api/core/${kind}-rules/:guid` as const, { guid }).data?.rule;
  const then = useAnswer(`GET /api/core/${kind}-rules/:guid/versions/:version` as const, { guid, version }).data;
  if (!now || !then) return <Loading lines={2} />;
  return (
    <section className={styles.stack}>
      <h3>{rules.wouldChange}</h3>
      <Sides
        left={now as FieldsOfRule} // A record is read by the names of its fields.
        right={then.version.rule}
        names={[rules.asItStands, rules.versionNumber(version)]}
        only={changes.map(({ field }) => field)}
      />
    </section>
  );
}

/** A dataset of the same GUID: the version refers to it again. */
function MendDataset({ subject: { kind, guid, version }, onMended }: { readonly subject: Subject; onMended(): void }) {
  const { rules, common } = useLabels();
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer(`GET /api/core/${kind}-rules/:guid/versions/:version` as const, { guid, version });
  const { dataset_guid, dataset_name } = answer.data?.version.rule ?? {};
  if (typeof dataset_guid !== 'string') return undefined;
  const name = typeof dataset_name === 'string' ? dataset_name : '';
  return (
    <>
      <Button size="small" icon="database" onClick={() => setOpen(true)}>
        {rules.createDataset}
      </Button>
      {isOpen && (
        <FormDialog
          title={rules.createDataset}
          isWide
          fields={[
            { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 255 },
            {
              kind: 'own',
              name: 'query',
              label: rules.fields.query,
              isRequired: true,
              control: ({ value, onChange }) => (
                <QueryControl label={rules.fields.query} text={value} onChange={onChange} />
              ),
            },
          ]}
          initial={{ name, query: '' }}
          onClose={() => setOpen(false)}
          onSubmit={async (draft) => {
            const shares = { shared_users: [], shared_groups: [] };
            await call('POST /api/core/datasets', { guid: dataset_guid, ...draft, ...shares });
            showToast(rules.datasetCreated(draft.name));
            setOpen(false);
            onMended();
          }}
        />
      )}
    </>
  );
}
