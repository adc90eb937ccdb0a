// Schedules: the list with state and next runs, one of them with its slots and its workflow, and what can be done with them.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { Button } from '#console/components/button.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { Toggles } from '#console/components/forms/toggles.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { numberText } from '#console/time/numbers.ts';
import { ScheduleActions } from './schedule-actions.tsx';
import { ScheduleDetail } from './schedule-detail.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleList } from './schedule-list.tsx';
import styles from './schedules.module.css';
import { type Schedule, type SchedulesSearch, STATES, stateOf } from './schedules-search.ts';
import { useSchedules } from './use-schedules.ts';

const route = getRouteApi('/schedules');

export function Schedules() {
  const { pages, schedules: labels, common } = useLabels();
  const { search, change } = useAddress<SchedulesSearch>(route, ['schedule']);
  const [form, setForm] = useState<{ readonly schedule: Schedule | undefined }>();
  const answer = useSchedules(search.keywords);
  // A workflow may reach beyond what the keywords leave.
  const all = useSchedules().data?.scheduled_queries ?? [];
  const close = () => change({ schedule: undefined, hour: undefined });
  useShortcut('n', labels.add, () => setForm({ schedule: undefined }), 'page');
  useShortcut('escape', common.close, close, 'page');
  return (
    <PageFrame
      title={pages.schedules}
      fills
      controls={
        <Button kind="primary" icon="plus" onClick={() => setForm({ schedule: undefined })}>
          {labels.add}
        </Button>
      }
    >
      <Filters search={search} listed={answer.data?.scheduled_queries ?? []} onChange={change} />
      <Columns
        answer={answer}
        schedules={all}
        search={search}
        onChange={change}
        onEdit={(schedule) => setForm({ schedule })}
        onClose={close}
      />
      {form && (
        <ScheduleForm
          schedule={form.schedule}
          schedules={all}
          onClose={() => setForm(undefined)}
          onSaved={(guid) => {
            setForm(undefined);
            change({ schedule: guid });
          }}
        />
      )}
    </PageFrame>
  );
}

interface ColumnsProps {
  readonly answer: ReturnType<typeof useSchedules>;
  readonly schedules: readonly Schedule[];
  readonly search: SchedulesSearch;
  onChange(change: SchedulesSearch): void;
  onEdit(schedule: Schedule): void;
  onClose(): void;
}

/** The list with its actions, and the open schedule beside it. */
function Columns({ answer, schedules, search, onChange, onEdit, onClose }: ColumnsProps) {
  const { schedules: labels } = useLabels();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const fitting = (answer.data?.scheduled_queries ?? []).filter(
    (schedule) => !search.states?.length || search.states.includes(stateOf(schedule)),
  );
  const { total_count = 0, scheduled_queries: listed = [] } = answer.data ?? {};
  const hidden = total_count - listed.length;
  return (
    <>
      <SelectedActions
        targets={fitting.filter(({ guid }) => selected.has(guid))}
        schedules={schedules}
        total={fitting.length}
        hidden={hidden}
        onRemoved={() => setSelected(new Set())}
      />
      <RecordColumns
        isWide
        list={
          <Answered answer={answer} lines={8}>
            {() => (
              <ScheduleList
                schedules={fitting}
                selection={{ keys: selected, onChange: setSelected }}
                openKey={search.schedule}
                onOpen={({ guid }) =>
                  guid === search.schedule ? onClose() : onChange({ schedule: guid, hour: undefined })
                }
                empty={<EmptyState icon="schedules" title={labels.emptyTitle} text={labels.emptyText} />}
              />
            )}
          </Answered>
        }
        record={
          search.schedule !== undefined && (
            <ScheduleDetail
              key={search.schedule}
              guid={search.schedule}
              search={search}
              schedules={schedules}
              onChange={onChange}
              onEdit={onEdit}
              onClose={onClose}
            />
          )
        }
      />
    </>
  );
}

interface FiltersProps {
  readonly search: SchedulesSearch;
  readonly listed: readonly Schedule[];
  onChange(change: SchedulesSearch): void;
}

function Filters({ search, listed, onChange }: FiltersProps) {
  const { schedules: labels } = useLabels();
  const filters = boundFilters(search, onChange);
  return (
    <div className={styles.filters}>
      <KeywordsField label={labels.keywords} {...filters.one('keywords')} />
      <Toggles
        label={labels.filter}
        options={STATES.map((id) => ({
          id,
          label: labels.states[id],
          count: listed.filter((schedule) => stateOf(schedule) === id).length,
        }))}
        {...filters.many('states')}
      />
    </div>
  );
}

interface SelectedActionsProps {
  readonly targets: readonly Schedule[];
  readonly schedules: readonly Schedule[];
  readonly total: number;
  /** Beyond what one list holds. */
  readonly hidden: number;
  onRemoved(): void;
}

/** An open schedule has its actions beside it; these are for many. */
function SelectedActions({ targets, schedules, total, hidden, onRemoved }: SelectedActionsProps) {
  const { schedules: labels } = useLabels();
  const { locale } = useLanguage();
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={labels.chosen(targets.length)}>
      <span className={styles.note} aria-live="polite">
        {targets.length === 0 ? labels.total(numberText(total, locale)) : labels.chosen(targets.length)}
      </span>
      {hidden > 0 && <span className={styles.note}>{labels.further(numberText(hidden, locale))}</span>}
      {targets.length > 0 && <ScheduleActions targets={targets} schedules={schedules} onRemoved={onRemoved} />}
    </div>
  );
}
