// What can be done with rules: in force or not, run, edit, remove. Only for accounts that may change them.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { KINDS, type Rule } from './rules-search.ts';
import { switchRule, useRuleRefresh } from './use-rules.ts';

interface RuleActionsProps {
  readonly targets: readonly Rule[];
  onEdit?(): void;
  onRemoved(): void;
}

export function RuleActions({ targets, onEdit, onRemoved }: RuleActionsProps) {
  const { rules: labels, common } = useLabels();
  const refresh = useRuleRefresh();
  const { turn, run } = useSwitches(targets);
  const [isRemoving, setRemoving] = useState(false);
  const [only] = targets.length === 1 ? targets : [];
  return (
    <>
      {targets.some(({ enabled }) => !enabled) && (
        <Button size="small" icon="check" onClick={() => void turn(true)}>
          {labels.enable}
        </Button>
      )}
      {targets.some(({ enabled }) => enabled) && (
        <Button size="small" icon="pause" onClick={() => void turn(false)}>
          {labels.disable}
        </Button>
      )}
      {only?.kind === 'batch' && (
        <Button size="small" icon="play" disabled={only.running} onClick={() => void run(only.guid)}>
          {labels.run}
        </Button>
      )}
      {onEdit && (
        <Button size="small" icon="edit" onClick={onEdit}>
          {common.edit}
        </Button>
      )}
      <Button size="small" icon="trash" onClick={() => setRemoving(true)}>
        {common.delete}
      </Button>
      {isRemoving && (
        <RemoveDialog
          targets={targets}
          onClose={() => setRemoving(false)}
          onDone={() => {
            setRemoving(false);
            refresh();
            onRemoved();
          }}
        />
      )}
    </>
  );
}

/** Each tells its outcome. */
function useSwitches(targets: readonly Rule[]) {
  const labelsOfAll = useLabels();
  const { rules: labels } = labelsOfAll;
  const refresh = useRuleRefresh();
  async function turn(isOn: boolean) {
    const outcomes = await Promise.allSettled(
      targets.filter(({ enabled }) => enabled !== isOn).map((rule) => switchRule(rule, isOn)),
    );
    const failed = outcomes.filter(({ status }) => status === 'rejected').length;
    const text = isOn ? labels.enabled : labels.disabled;
    showToast(text(outcomes.length - failed, failed), failed > 0 ? 'failed' : 'done');
    refresh();
  }
  async function run(guid: string) {
    try {
      await call('POST /api/core/batch-rules/:guid/run', { guid });
      showToast(labels.runStarted);
    } catch (error) {
      const { text, detail } = failureText(error, labelsOfAll);
      showToast(detail === undefined ? text : `${text} ${detail}`, 'failed');
    }
    refresh();
  }
  return { turn, run };
}

interface RemoveDialogProps {
  readonly targets: readonly Rule[];
  onClose(): void;
  onDone(): void;
}

function RemoveDialog({ targets, onClose, onDone }: RemoveDialogProps) {
  const { rules: labels, common } = useLabels();
  return (
    <ConfirmDialog
      title={common.delete}
      text={labels.removeText}
      consequences={targets.map(({ name }) => name)}
      onClose={onClose}
      onConfirm={async () => {
        showToast(labels.removed(await removeRules(targets)));
        onDone();
      }}
    />
  );
}

async function removeRules(targets: readonly Rule[]): Promise<number> {
  let removed = 0;
  for (const kind of KINDS) {
    const guids = targets.filter((rule) => rule.kind === kind).map(({ guid }) => guid);
    if (guids.length === 0) continue;
    const { failures } = await call(`DELETE /api/core/${kind}-rules` as const, { guids });
    removed += guids.length - failures.length;
  }
  return removed;
}
