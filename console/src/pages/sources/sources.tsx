// Sources: the loggers with state and rate, files that are uploaded, and 'Add data' in four steps.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { Toggles } from '#console/components/forms/toggles.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels } from '#console/labels/labels.tsx';
import {
  ALL_LOGGERS,
  TablesWithoutLoggerNote,
  useTablesWithoutLogger,
} from '#console/pages/tables-without-logger-note.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { isAtLeast } from '#contract/values.ts';
import { AddData } from './add/add-data.tsx';
import { LoggerForm } from './logger-form.tsx';
import { LoggerList } from './logger-list.tsx';
import { LoggerPanel } from './logger-panel.tsx';
import styles from './sources.module.css';
import { type Logger, type SourcesSearch, STATES, stateOf } from './sources-search.ts';
import { UploadPanel } from './uploads/upload-panel.tsx';
import { useSourceRefresh } from './use-source-refresh.ts';

const route = getRouteApi('/sources');
const REFRESH_MS = 15_000;

export function Sources() {
  const { search, change } = useAddress<SourcesSearch>(route);
  const leave = () => change({ add: undefined, kind: undefined, parser: undefined, table: undefined });
  if (search.add !== undefined) return <AddData search={search} step={search.add} onChange={change} onLeave={leave} />;
  return <LoggersPage search={search} onChange={change} />;
}

interface LoggersPageProps {
  readonly search: SourcesSearch;
  onChange(changed: SourcesSearch): void;
}

function LoggersPage({ search, onChange }: LoggersPageProps) {
  const { pages, common } = useLabels();
  const { role_name } = useAccount();
  const refresh = useSourceRefresh();
  const { keywords, state, logger } = search;
  const answer = useAnswer(
    'GET /api/core/loggers',
    { ...ALL_LOGGERS, ...(keywords === undefined ? {} : { keywords }) },
    { every: REFRESH_MS, keepsPrevious: true },
  );
  const close = () => onChange({ logger: undefined });
  useShortcut('r', common.refresh, refresh, 'page');
  useShortcut('escape', common.close, close, 'page');
  return (
    <PageFrame
      title={pages.sources}
      fills
      controls={
        <>
          <Button icon="refresh" onClick={refresh}>
            {common.refresh}
          </Button>
          {isAtLeast(role_name, 'ADMIN') && <AddButtons onChange={onChange} />}
        </>
      }
    >
      <LoggerFilters search={search} loggers={answer.data?.loggers} onChange={onChange} />
      <RecordColumns
        list={
          <Answered answer={answer} lines={8}>
            {({ loggers }) => (
              <LoggerList
                loggers={loggers.filter((one) => state === undefined || stateOf(one) === state)}
                openKey={logger}
                onOpen={(guid) => onChange({ logger: guid === logger ? undefined : guid })}
                empty={<NoLoggers />}
              />
            )}
          </Answered>
        }
        record={logger !== undefined && <LoggerPanel key={logger} guid={logger} onClose={close} />}
      />
      <UploadPanel />
    </PageFrame>
  );
}

/** Records may arrive all the same. */
function NoLoggers() {
  const { sources: labels } = useLabels();
  const others = useTablesWithoutLogger(REFRESH_MS);
  return (
    <EmptyState icon="sources" title={labels.emptyTitle} text={labels.emptyText}>
      {others && <TablesWithoutLoggerNote tables={others} />}
    </EmptyState>
  );
}

function AddButtons({ onChange }: Pick<LoggersPageProps, 'onChange'>) {
  const { sources: labels } = useLabels();
  const refresh = useSourceRefresh();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button icon="plus" onClick={() => setAsked(true)}>
        {labels.newLogger}
      </Button>
      <Button kind="primary" icon="plus" onClick={() => onChange({ add: 'kind', logger: undefined })}>
        {labels.addData}
      </Button>
      {isAsked && (
        <LoggerForm
          onClose={() => setAsked(false)}
          onDone={(logger) => {
            setAsked(false);
            refresh();
            onChange({ logger });
          }}
        />
      )}
    </>
  );
}

interface LoggerFiltersProps extends LoggersPageProps {
  readonly loggers: readonly Logger[] | undefined;
}

function LoggerFilters({ search, loggers, onChange }: LoggerFiltersProps) {
  const { sources: labels, common } = useLabels();
  const { state } = search;
  const filters = boundFilters(search, onChange);
  return (
    <div className={styles.filters}>
      <KeywordsField label={labels.keywords} {...filters.one('keywords')} />
      <Toggles
        label={common.status}
        options={STATES.map((id) => ({ id, label: labels.states[id], count: countOf(loggers, id) }))}
        chosen={state === undefined ? [] : [state]}
        onChange={(chosen) => onChange({ state: chosen.find((one) => one !== state) })}
      />
    </div>
  );
}

const countOf = (loggers: readonly Logger[] | undefined, state: ReturnType<typeof stateOf>): number | undefined =>
  loggers?.filter((logger) => stateOf(logger) === state).length;
