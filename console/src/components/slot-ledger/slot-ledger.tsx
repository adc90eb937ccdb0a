// The ledger of slots: a calendar strip, and below it the slots with their reasons; a cell of the strip shows its own alone.

import type { UseQueryResult } from '@tanstack/react-query';
import { failureText } from '#console/client/failure-text.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { CalendarStrip } from '#console/components/charts/calendar-strip.tsx';
import { type Column, DataTable, TIME_WIDTH } from '#console/components/data-table.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { parseStamp, textOf } from '#console/time/moments.ts';
import { durationText, numberText } from '#console/time/numbers.ts';
import { Time, useZone } from '#console/time/time.tsx';
import { LEDGER_DAYS, type LedgerDays } from './ledger-days.ts';
import styles from './slot-ledger.module.css';
import { FATE_TONES, fateOf, fateText, type Slot, slotsText, toneOfSlots, tookMs } from './slots.ts';

interface SlotLedgerProps {
  readonly answer: UseQueryResult<{ readonly total_count: number; readonly slots: readonly Slot[] }>;
  readonly days: LedgerDays;
  /** The key of the chosen hour. */
  readonly hour: string | undefined;
  onChange(change: { readonly days?: LedgerDays; readonly hour?: string | undefined }): void;
  /** Absent for readers who may not. */
  onCancelBackfill?: (() => Promise<{ readonly cancelled: number }>) | undefined;
}

const momentOf = ({ slot_time }: Slot): number => parseStamp(slot_time) ?? 0;

export function SlotLedger({ answer, days, hour, onChange, onCancelBackfill }: SlotLedgerProps) {
  const { slots: labels } = useLabels();
  const { locale } = useLanguage();
  const zone = useZone();
  return (
    <div className={styles.ledger}>
      <div className={styles.controls}>
        <Select
          label={labels.period}
          value={String(days)}
          options={LEDGER_DAYS.map((count) => ({ value: String(count), label: labels.days(count) }))}
          onChange={(value) => onChange({ days: LEDGER_DAYS.find((count) => String(count) === value) ?? 7 })}
        />
        {hour !== undefined && (
          <Button size="small" icon="close" onClick={() => onChange({ hour: undefined })}>
            {labels.allHours}
          </Button>
        )}
        {onCancelBackfill && answer.data?.slots.some(({ state }) => state === 'queued') && (
          <CancelBackfill onCancel={onCancelBackfill} refetch={() => void answer.refetch()} />
        )}
      </div>
      <Answered answer={answer} lines={7}>
        {({ slots, total_count }) => {
          const shown =
            hour === undefined ? slots : slots.filter((slot) => textOf(momentOf(slot), zone).startsWith(hour));
          return (
            <>
              <CalendarStrip
                label={labels.title}
                items={slots}
                momentOf={momentOf}
                toneOf={toneOfSlots}
                textOf={(own) => slotsText(own, labels)}
                days={days}
                chosen={hour}
                onChoose={(cell) => onChange({ hour: cell?.key })}
              />
              {slots.length < total_count && (
                <p className={styles.note}>
                  {labels.cut(numberText(slots.length, locale), numberText(total_count, locale))}
                </p>
              )}
              {shown.length === 0 ? (
                <EmptyState icon="schedules" title={labels.empty} text={labels.emptyText} />
              ) : (
                <SlotTable
                  label={hour === undefined ? labels.allHours : labels.chosenHour(`${hour}:00`)}
                  slots={shown}
                />
              )}
            </>
          );
        }}
      </Answered>
    </div>
  );
}

interface CancelBackfillProps {
  onCancel(): Promise<{ readonly cancelled: number }>;
  refetch(): void;
}

function CancelBackfill({ onCancel, refetch }: CancelBackfillProps) {
  const labels = useLabels();
  const cancel = async () => {
    try {
      showToast(labels.slots.backfillCancelled((await onCancel()).cancelled));
    } catch (error) {
      showToast(failureText(error, labels).text, 'failed');
    }
    refetch();
  };
  return (
    <Button size="small" icon="stop" onClick={() => void cancel()}>
      {labels.slots.cancelBackfill}
    </Button>
  );
}

function SlotTable({ label, slots }: { readonly label: string; readonly slots: readonly Slot[] }) {
  const { slots: labels } = useLabels();
  const { locale } = useLanguage();
  const columns: readonly Column<Slot>[] = [
    { id: 'due', header: labels.due, width: TIME_WIDTH, cell: ({ slot_time }) => <Time at={slot_time} /> },
    { id: 'fate', header: labels.outcome, width: '7.5rem', cell: (slot) => <FateBadge slot={slot} /> },
    {
      id: 'reason',
      header: labels.reason,
      width: 'minmax(11rem, 1fr)',
      cell: (slot) => <span title={reasonText(slot, labels)}>{reasonText(slot, labels)}</span>,
    },
    {
      id: 'took',
      header: labels.took,
      width: '6rem',
      align: 'end',
      cell: (slot) => {
        const took = tookMs(slot);
        // Stamps are to the second.
        if (took === undefined) return '';
        return took === 0 ? '< 1 s' : durationText(took);
      },
    },
    {
      id: 'rows',
      header: labels.rows,
      width: '5rem',
      align: 'end',
      cell: ({ rows }) => (rows === null ? '' : numberText(rows, locale)),
    },
  ];
  return (
    <DataTable
      label={label}
      rows={slots}
      rowKey={({ slot_time, run_guid }) => `${slot_time} ${run_guid}`}
      columns={columns}
      maxHeight="20rem"
      detail={(slot) => (slot.constants === null ? undefined : <Parameters slot={slot} />)}
    />
  );
}

function FateBadge({ slot }: { readonly slot: Slot }) {
  const { slots: labels } = useLabels();
  const fate = fateOf(slot);
  const isWaiting = slot.state === 'running' && slot.started === null;
  return <StatusBadge tone={FATE_TONES[fate]}>{isWaiting ? labels.waiting : fateText(fate, labels)}</StatusBadge>;
}

/** An error says more than the way in which the slot came to run. */
function reasonText({ outcome, reason, error }: Slot, labels: ReturnType<typeof useLabels>['slots']): string {
  const way = outcome === 'backfilled' ? labels.outcomes.backfilled : labels.byPlan;
  return [reason === null ? way : labels.reasons[reason], ...(error === null ? [] : [error])].join(' · ');
}

function Parameters({ slot: { constants } }: { readonly slot: Slot }) {
  const { slots: labels } = useLabels();
  const values = Object.entries(constants ?? {});
  if (values.length === 0) return undefined;
  return (
    <p className={styles.parameters}>
      {labels.parameters}: <code>{values.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}</code>
    </p>
  );
}
