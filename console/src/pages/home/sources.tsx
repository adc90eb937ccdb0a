// What each logger has taken in over the last day.

import { useQueries } from '@tanstack/react-query';
import { useAnswer } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { Panel } from '#console/components/page-frame.tsx';
import { Sparkline } from '#console/components/sparkline.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { perBucket, recentRate } from '#console/pages/logger-rates.ts';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';

const RATES = 'GET /api/core/loggers/:guid/rates';
const SHOWN = 12;
const BUCKETS = 48;

export function Sources() {
  const { home: labels } = useLabels();
  const loggers = useAnswer('GET /api/core/loggers', { limit: SHOWN }, { every: REFRESH_MS });
  return (
    <Panel title={labels.sources}>
      <Answered answer={loggers}>
        {(answer) => (answer.loggers.length === 0 ? <FirstLog /> : <Rates loggers={answer.loggers} />)}
      </Answered>
    </Panel>
  );
}

function FirstLog() {
  const { home: labels } = useLabels();
  const command = `curl -H "Authorization: Bearer $KEY" -d '{"msg":"hello"}' '${location.origin}/api/core/tables/web/logs?create=true'`;
  return (
    <EmptyState icon="sources" title={labels.noSources} text={labels.sourcesText}>
      <code className={styles.command}>{command}</code>
    </EmptyState>
  );
}

function Rates({ loggers }: { readonly loggers: readonly { readonly guid: string; readonly name: string }[] }) {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  const answers = useQueries({
    queries: loggers.map(({ guid }) => ({
      queryKey: [RATES, { guid }],
      queryFn: ({ signal }: { signal: AbortSignal }) => callWith({ signal, isRefresh: true }, RATES, { guid }),
      refetchInterval: REFRESH_MS,
    })),
  });
  return (
    <ul className={styles.lines}>
      {loggers.map(({ guid, name }, index) => {
        const rates = answers[index]?.data?.rates ?? [];
        const total = rates.reduce((sum, { log_count }) => sum + log_count, 0);
        return (
          <li key={guid}>
            <span className={styles.name}>{name}</span>
            <Sparkline label={name} values={perBucket(rates, BUCKETS)} />
            <span className={styles.value}>{shortNumber(total, locale)}</span>
            <span className={styles.note}>{labels.perMinute(numberText(recentRate(rates), locale))}</span>
          </li>
        );
      })}
    </ul>
  );
}
