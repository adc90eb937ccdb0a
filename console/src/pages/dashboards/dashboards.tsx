// Dashboards: one of them with its panels, and what can be done with it.

import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { absoluteRange, rangeOf } from '#console/time/ranges.ts';
import { type Dashboard, mayChange, rangeOfSpan } from './dashboard.ts';
import { NameDialog, RemoveDialog, ShareDialog } from './dashboard-dialogs.tsx';
import { DashboardEditor } from './dashboard-editor.tsx';
import { DashboardGrid } from './dashboard-grid.tsx';
import { DashboardToolbar } from './dashboard-toolbar.tsx';
import styles from './dashboards.module.css';
import type { DashboardsSearch } from './dashboards-search.ts';
import { useDashboard, useDashboards } from './use-dashboards.ts';

const route = getRouteApi('/dashboards');

type Asked = 'rename' | 'share' | 'remove';

export function Dashboards() {
  const { pages, dashboards: labels } = useLabels();
  const { search, change } = useAddress<DashboardsSearch>(route, ['dashboard']);
  const [isAdding, setAdding] = useState(false);
  const list = useDashboards();
  const listed = list.data?.dashboards ?? [];
  const guid = search.dashboard ?? listed[0]?.guid;
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {labels.add}
    </Button>
  );
  const choice = listed.length > 0 && (
    <Select
      label={labels.dashboard}
      value={guid ?? ''}
      options={listed.map((one) => ({ value: one.guid, label: one.name }))}
      onChange={(dashboard) => change({ dashboard, edit: undefined, from: undefined, to: undefined })}
    />
  );
  const dialog = isAdding && (
    <NameDialog
      dashboard={undefined}
      onClose={() => setAdding(false)}
      onSaved={(dashboard) => {
        setAdding(false);
        change({ dashboard, edit: true, from: undefined, to: undefined });
      }}
    />
  );
  if (guid !== undefined) {
    return (
      <>
        <OneDashboard
          key={guid}
          guid={guid}
          choice={choice}
          search={search}
          onChange={change}
          onAdd={() => setAdding(true)}
        />
        {dialog}
      </>
    );
  }
  return (
    <PageFrame title={pages.dashboards} controls={add}>
      <Answered answer={list}>
        {() => <EmptyState icon="dashboards" title={labels.emptyTitle} text={labels.emptyText} />}
      </Answered>
      {dialog}
    </PageFrame>
  );
}

interface OneDashboardProps {
  readonly guid: string;
  readonly choice: ReactNode;
  readonly search: DashboardsSearch;
  onChange(change: DashboardsSearch): void;
  onAdd(): void;
}

function OneDashboard({ guid, choice, search, onChange, onAdd }: OneDashboardProps) {
  const { pages, dashboards: labels } = useLabels();
  const account = useAccount();
  const answer = useDashboard(guid);
  const [asked, setAsked] = useState<Asked>();
  const [round, setRound] = useState(0);
  const screen = useRef<HTMLDivElement>(null);
  const dashboard = answer.data?.dashboard ?? undefined;
  const isEditing = search.edit === true && dashboard !== undefined && mayChange(dashboard, account);
  return (
    <PageFrame
      title={pages.dashboards}
      controls={
        <>
          {choice}
          {!isEditing && (
            <DashboardToolbar
              dashboard={dashboard}
              search={search}
              onChange={onChange}
              onRefresh={() => setRound(round + 1)}
              onFullScreen={() => void screen.current?.requestFullscreen()}
              onAsk={setAsked}
              onAdd={onAdd}
            />
          )}
        </>
      }
    >
      <Answered answer={answer} lines={8}>
        {() =>
          dashboard ? (
            <div ref={screen} className={styles.screen}>
              <p className={styles.screenTitle}>{dashboard.name}</p>
              <Shown
                key={String(isEditing)}
                dashboard={dashboard}
                isEditing={isEditing}
                search={search}
                round={round}
                onChange={onChange}
              />
            </div>
          ) : (
            <EmptyState icon="dashboards" title={labels.gone} text={labels.goneText} />
          )
        }
      </Answered>
      {dashboard && (
        <AskedDialog
          dashboard={dashboard}
          asked={asked}
          onClose={() => setAsked(undefined)}
          onRemoved={() => onChange({ dashboard: undefined, from: undefined, to: undefined })}
        />
      )}
    </PageFrame>
  );
}

interface AskedDialogProps {
  readonly dashboard: Dashboard;
  readonly asked: Asked | undefined;
  onClose(): void;
  onRemoved(): void;
}

function AskedDialog({ dashboard, asked, onClose, onRemoved }: AskedDialogProps) {
  if (asked === 'rename') return <NameDialog dashboard={dashboard} onClose={onClose} onSaved={onClose} />;
  if (asked === 'share') return <ShareDialog dashboard={dashboard} onClose={onClose} />;
  if (asked === 'remove') return <RemoveDialog dashboard={dashboard} onClose={onClose} onRemoved={onRemoved} />;
  return undefined;
}

interface ShownProps {
  readonly dashboard: Dashboard;
  readonly isEditing: boolean;
  readonly search: DashboardsSearch;
  readonly round: number;
  onChange(change: DashboardsSearch): void;
}

function Shown({ dashboard, isEditing, search, round, onChange }: ShownProps) {
  const { dashboards: labels } = useLabels();
  const { layout, description } = dashboard;
  const range = rangeOf(search.from, search.to, rangeOfSpan(layout.span));
  if (isEditing) {
    return <DashboardEditor dashboard={dashboard} onDone={() => onChange({ edit: undefined })} />;
  }
  return (
    <>
      {description !== undefined && <p className={styles.note}>{description}</p>}
      {layout.panels.length === 0 && (
        <EmptyState icon="dashboards" title={labels.noPanelsTitle} text={labels.noPanelsText} />
      )}
      <DashboardGrid
        layout={layout}
        range={range}
        round={round}
        every={search.refresh ?? 0}
        onZoom={(interval) => onChange(absoluteRange(interval))}
      />
    </>
  );
}
