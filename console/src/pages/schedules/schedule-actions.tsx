// What can be done with the chosen schedules: run, stop, backfill, switch, remove with a policy.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { Checkbox, Field } from '#console/components/forms/field.tsx';
import { FormDialog } from '#console/components/forms/form.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { now, toStamp } from '#console/time/moments.ts';
import type { Schedule } from './schedules-search.ts';
import { switchSchedule, useScheduleRefresh } from './use-schedules.ts';

interface ScheduleActionsProps {
  readonly targets: readonly Schedule[];
  /** All that are known: those that follow a removed one are named. */
  readonly schedules: readonly Schedule[];
  onEdit?(): void;
  onRemoved(): void;
}

type Asked = 'stop' | 'backfill' | 'remove';

export function ScheduleActions({ targets, schedules, onEdit, onRemoved }: ScheduleActionsProps) {
  const { schedules: labels, common } = useLabels();
  const { run, turn } = useSwitches(targets);
  const [asked, setAsked] = useState<Asked>();
  const [only] = targets.length === 1 ? targets : [];
  const isRunning = targets.some(({ running_state }) => running_state === 'running');
  return (
    <>
      <Button size="small" icon="play" disabled={targets.length === 0} onClick={() => void run()}>
        {labels.run}
      </Button>
      <Button size="small" icon="stop" disabled={!isRunning} onClick={() => setAsked('stop')}>
        {labels.stop}
      </Button>
      {only && (
        <>
          {only.trigger_type === 'cron' && (
            <Button size="small" icon="history" onClick={() => setAsked('backfill')}>
              {labels.backfill}
            </Button>
          )}
          <Button size="small" icon={only.enabled ? 'pause' : 'check'} onClick={() => void turn(only)}>
            {only.enabled ? labels.disable : labels.enable}
          </Button>
          {onEdit && (
            <Button size="small" icon="edit" onClick={onEdit}>
              {common.edit}
            </Button>
          )}
        </>
      )}
      <Button size="small" icon="trash" disabled={targets.length === 0} onClick={() => setAsked('remove')}>
        {common.delete}
      </Button>
      <AskedDialog
        asked={asked}
        targets={targets}
        schedules={schedules}
        onClose={() => setAsked(undefined)}
        onRemoved={() => {
          setAsked(undefined);
          onRemoved();
        }}
      />
    </>
  );
}

/** Each tells its outcome. */
function useSwitches(targets: readonly Schedule[]) {
  const labelsOfAll = useLabels();
  const { schedules: labels } = labelsOfAll;
  const refresh = useScheduleRefresh();
  async function act(work: () => Promise<string>) {
    try {
      showToast(await work());
    } catch (error) {
      showToast(failureText(error, labelsOfAll).text, 'failed');
    }
    refresh();
  }
  const run = async () => {
    const guids = targets.map(({ guid }) => guid);
    const { succeeded, failures } = await call('POST /api/core/scheduled-queries/run', { guids });
    return labels.started(succeeded, failures.length);
  };
  const turn = async (schedule: Schedule) => {
    await switchSchedule(schedule, !schedule.enabled);
    return labels.switched[schedule.enabled ? 'off' : 'on'];
  };
  return { run: () => act(run), turn: (schedule: Schedule) => act(() => turn(schedule)) };
}

interface AskedDialogProps extends Omit<ScheduleActionsProps, 'onEdit'> {
  readonly asked: Asked | undefined;
  onClose(): void;
}

function AskedDialog({ asked, targets, schedules, onClose, onRemoved }: AskedDialogProps) {
  const [first] = targets;
  if (asked === 'stop') return <StopDialog targets={targets} onClose={onClose} />;
  if (asked === 'backfill' && first) return <BackfillDialog schedule={first} onClose={onClose} />;
  if (asked !== 'remove') return undefined;
  return <RemoveDialog targets={targets} schedules={schedules} onClose={onClose} onDone={onRemoved} />;
}

interface TargetsProps {
  readonly targets: readonly Schedule[];
  onClose(): void;
}

const namesOf = (targets: readonly Schedule[]): readonly string[] => targets.map(({ name }) => name);

function StopDialog({ targets, onClose }: TargetsProps) {
  const { schedules: labels } = useLabels();
  const refresh = useScheduleRefresh();
  const [isForced, setForced] = useState(false);
  return (
    <ConfirmDialog
      title={labels.stop}
      text={labels.stopText}
      consequences={namesOf(targets)}
      confirmLabel={labels.stop}
      onClose={onClose}
      onConfirm={async () => {
        const guids = targets.map(({ guid }) => guid);
        const { succeeded } = await call('POST /api/core/scheduled-queries/stop', { guids, force: isForced });
        showToast(labels.stopped(succeeded));
        refresh();
        onClose();
      }}
    >
      <Checkbox label={labels.force} isChecked={isForced} onChange={setForced} />
    </ConfirmDialog>
  );
}

function RemoveDialog({
  targets,
  schedules,
  onClose,
  onDone,
}: TargetsProps & { readonly schedules: readonly Schedule[]; onDone(): void }) {
  const { schedules: labels, common } = useLabels();
  const refresh = useScheduleRefresh();
  const [policy, setPolicy] = useState<'skip' | 'force'>('skip');
  const guids = targets.map(({ guid }) => guid);
  const followers = schedules.filter(
    ({ guid, preceding_guid }) => preceding_guid !== null && guids.includes(preceding_guid) && !guids.includes(guid),
  );
  return (
    <ConfirmDialog
      title={common.delete}
      text={labels.removeText}
      consequences={[...namesOf(targets), ...followers.map(({ name }) => labels.follower(name))]}
      onClose={onClose}
      onConfirm={async () => {
        const { succeeded, failures } = await call('DELETE /api/core/scheduled-queries', { guids, policy });
        const left = guids.length - succeeded - failures.length;
        showToast(labels.removed(succeeded, left), left > 0 ? 'failed' : 'done');
        refresh();
        onDone();
      }}
    >
      <Field label={labels.policy}>
        {() => (
          <Select<'skip' | 'force'>
            label={labels.policy}
            value={policy}
            options={(['skip', 'force'] as const).map((value) => ({ value, label: labels.policies[value] }))}
            onChange={setPolicy}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}

const DAY_MS = 86_400_000;

function BackfillDialog({ schedule: { guid, name }, onClose }: { readonly schedule: Schedule; onClose(): void }) {
  const { schedules: labels } = useLabels();
  const refresh = useScheduleRefresh();
  const [initial] = useState<{ from: number | undefined; to: number | undefined }>(() => {
    const to = Math.floor(now() / 1000) * 1000;
    return { from: to - DAY_MS, to };
  });
  return (
    <FormDialog
      title={`${labels.backfill}: ${name}`}
      description={labels.backfillText}
      submitLabel={labels.backfill}
      fields={[
        { kind: 'moment', name: 'from', label: labels.from, isRequired: true },
        { kind: 'moment', name: 'to', label: labels.to, isRequired: true },
      ]}
      initial={initial}
      onClose={onClose}
      onSubmit={async ({ from = 0, to = 0 }) => {
        const range = { from: toStamp(from), to: toStamp(to) };
        const answer = await call('POST /api/core/scheduled-queries/:guid/backfill', { guid, ...range });
        showToast(labels.backfilled(answer.queued, answer.skipped));
        refresh();
        onClose();
      }}
    />
  );
}
