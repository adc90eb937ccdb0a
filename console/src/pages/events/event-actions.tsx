// What can be done with the chosen events: a status with a reason, a ticket.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { FormDialog } from '#console/components/forms/form.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { TicketDialog } from '#console/pages/tickets/ticket-dialog.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { numberText } from '#console/time/numbers.ts';
import styles from './events.module.css';
import type { EventRecord, Status } from './events-search.ts';

interface EventActionsProps {
  /** GUIDs of events. */
  readonly targets: readonly string[];
  readonly events: readonly EventRecord[];
  readonly total: number;
  onDone(): void;
}

type Asked = 'closed' | 'false-positive' | 'ticket';

export function EventActions({ targets, events, total, onDone }: EventActionsProps) {
  const labelsOfAll = useLabels();
  const { events: labels, status: statuses } = labelsOfAll;
  const { locale } = useLanguage();
  const [asked, setAsked] = useState<Asked>();
  const isNone = targets.length === 0;

  async function mark(status: Status, reason?: string) {
    const { succeeded, failures } = await call('PUT /api/core/events/status', {
      guids: targets,
      status,
      ...(reason ? { reason } : {}),
    });
    const failed = failures.length;
    showToast(labels.marked(succeeded, statuses[status], failed), failed > 0 ? 'failed' : 'done');
    onDone();
  }
  async function markAtOnce(status: Status) {
    if (isNone) return;
    try {
      await mark(status);
    } catch (error) {
      showToast(failureText(error, labelsOfAll).text, 'failed');
    }
  }
  const ask = (what: Asked) => !isNone && setAsked(what);
  useShortcut('s', statuses.seen, () => void markAtOnce('seen'), 'page');
  useShortcut('c', statuses.closed, () => ask('closed'), 'page');
  useShortcut('f', statuses['false-positive'], () => ask('false-positive'), 'page');
  useShortcut('t', labels.ticket, () => ask('ticket'), 'page');
  return (
    <div className={styles.actions} role="toolbar" aria-label={labels.actions}>
      <span className={styles.chosen} aria-live="polite">
        {isNone ? labels.total(numberText(total, locale)) : labels.chosen(targets.length)}
      </span>
      <ActionButtons isDisabled={isNone} onMark={(status) => void markAtOnce(status)} onAsk={ask} />
      {(asked === 'closed' || asked === 'false-positive') && (
        <ReasonDialog
          status={asked}
          count={targets.length}
          onClose={() => setAsked(undefined)}
          onSubmit={async (reason) => {
            await mark(asked, reason);
            setAsked(undefined);
          }}
        />
      )}
      {asked === 'ticket' && (
        <TicketDialog
          events={targets.flatMap((guid) => events.find((event) => event.guid === guid) ?? [])}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            onDone();
          }}
        />
      )}
    </div>
  );
}

interface ActionButtonsProps {
  readonly isDisabled: boolean;
  onMark(status: Status): void;
  onAsk(what: Asked): void;
}

function ActionButtons({ isDisabled, onMark, onAsk }: ActionButtonsProps) {
  const { events: labels, status: statuses } = useLabels();
  return (
    <>
      <Button size="small" icon="eye" disabled={isDisabled} onClick={() => onMark('seen')}>
        {statuses.seen}
      </Button>
      <Button size="small" icon="check" disabled={isDisabled} onClick={() => onAsk('closed')}>
        {statuses.closed}
      </Button>
      <Button size="small" icon="close" disabled={isDisabled} onClick={() => onAsk('false-positive')}>
        {statuses['false-positive']}
      </Button>
      <Button size="small" icon="history" disabled={isDisabled} onClick={() => onMark('new')}>
        {labels.reopen}
      </Button>
      <Button size="small" icon="tickets" disabled={isDisabled} onClick={() => onAsk('ticket')}>
        {labels.ticket}
      </Button>
    </>
  );
}

const MAX_REASON = 2000;

interface ReasonDialogProps {
  readonly status: Status;
  readonly count: number;
  onClose(): void;
  onSubmit(reason: string): Promise<void>;
}

function ReasonDialog({ status, count, onClose, onSubmit }: ReasonDialogProps) {
  const { events: labels, status: statuses, common } = useLabels();
  return (
    <FormDialog
      title={statuses[status]}
      description={labels.chosen(count)}
      submitLabel={common.apply}
      fields={[{ kind: 'text', name: 'reason', label: labels.reason, isLong: true, maxLength: MAX_REASON }]}
      initial={{ reason: '' }}
      onClose={onClose}
      onSubmit={({ reason }) => onSubmit(reason)}
    />
  );
}
