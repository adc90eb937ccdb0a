// One logger: its state, its last failure, its rate over a day, and what can be done with it.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { byteText, numberText } from '#console/time/numbers.ts';
import { LAST_HOUR } from '#console/time/ranges.ts';
import { Time } from '#console/time/time.tsx';
import { isAtLeast } from '#contract/values.ts';
import { LoggerForm } from './logger-form.tsx';
import { KindName, LoggerBadge } from './logger-list.tsx';
import { RateChart } from './rate-chart.tsx';
import { RemoveLogger } from './remove-logger.tsx';
import styles from './sources.module.css';
import type { Logger } from './sources-search.ts';
import { useSourceRefresh } from './use-source-refresh.ts';

const REFRESH_MS = 15_000;

export function LoggerPanel({ guid, onClose }: { readonly guid: string; onClose(): void }) {
  const { sources: labels } = useLabels();
  const answer = useAnswer('GET /api/core/loggers/:guid', { guid }, { every: REFRESH_MS });
  const logger = answer.data?.logger;
  return (
    <RecordPanel
      title={labels.logger}
      headline={logger?.name}
      actions={logger && <LoggerActions logger={logger} onRemoved={onClose} />}
      onClose={onClose}
    >
      <Answered answer={answer}>
        {(data) =>
          data.logger ? <LoggerContent logger={data.logger} /> : <EmptyState icon="sources" title={labels.gone} />
        }
      </Answered>
    </RecordPanel>
  );
}

function LoggerActions({ logger, onRemoved }: { readonly logger: Logger; onRemoved(): void }) {
  const labels = useLabels();
  const { role_name } = useAccount();
  const refresh = useSourceRefresh();
  const [asked, setAsked] = useState<'edit' | 'remove'>();
  const { guid, enabled } = logger;
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    refresh();
  };
  async function turn() {
    try {
      if (enabled) await call('POST /api/core/loggers/:guid/disable', { guid });
      else await call('POST /api/core/loggers/:guid/enable', { guid });
    } catch (error) {
      showToast(failureText(error, labels).text, 'failed');
    }
    refresh();
  }
  return (
    <>
      <LoggerBadge logger={logger} />
      <SearchLink query={`table ${logger.table_name}`} range={LAST_HOUR}>
        {labels.sources.search}
      </SearchLink>
      {isAtLeast(role_name, 'ADMIN') && (
        <>
          <Button size="small" icon={enabled ? 'pause' : 'play'} onClick={() => void turn()}>
            {enabled ? labels.sources.disable : labels.sources.enable}
          </Button>
          <Button size="small" icon="edit" onClick={() => setAsked('edit')}>
            {labels.sources.edit}
          </Button>
          <Button size="small" icon="trash" onClick={() => setAsked('remove')}>
            {labels.common.delete}
          </Button>
        </>
      )}
      {asked === 'edit' && <LoggerForm logger={logger} onClose={close} onDone={done} />}
      {asked === 'remove' && (
        <RemoveLogger
          logger={logger}
          onClose={close}
          onDone={() => {
            done();
            onRemoved();
          }}
        />
      )}
    </>
  );
}

function LoggerContent({ logger }: { readonly logger: Logger }) {
  const { sources: labels } = useLabels();
  const { locale } = useLanguage();
  return (
    <>
      {logger.failure !== null && (
        <p className={styles.failure} role="alert">
          <strong>{labels.lastError}</strong> {logger.failure}
        </p>
      )}
      {logger.description !== undefined && <p className={styles.note}>{logger.description}</p>}
      <RateChart guid={logger.guid} />
      <Facts>
        <Fact name={labels.kind}>
          <KindName kind={logger.logger_factory_name} />
        </Fact>
        <Fact name={labels.model}>{logger.model_name ?? labels.noModel}</Fact>
        <Fact name={labels.table}>{logger.table_name}</Fact>
        {logger.group_name != null && <Fact name={labels.group}>{logger.group_name}</Fact>}
        {Object.entries(logger.configs ?? {}).map(([name, value]) => (
          <Fact key={name} name={name}>
            <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
          </Fact>
        ))}
        <Fact name={labels.lastLog}>{logger.last_log === null ? labels.never : <Time at={logger.last_log} />}</Fact>
        {logger.silent_since !== null && (
          <Fact name={labels.states.silent}>
            <Time at={logger.silent_since} />
          </Fact>
        )}
        <Fact name={labels.logs}>
          {numberText(logger.log_count, locale)}, {byteText(logger.log_volume)}
        </Fact>
        <Fact name={labels.drops}>
          {numberText(logger.drop_count, locale)}, {byteText(logger.drop_volume)}
        </Fact>
        <Fact name={labels.node}>{logger.node}</Fact>
        <Fact name={labels.created}>
          <Time at={logger.created} />
        </Fact>
      </Facts>
    </>
  );
}
