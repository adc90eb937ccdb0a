// What each logger has taken in over the last day, and the tables that have records without one.

import { useQueries } from '@tanstack/react-query';
import type { AnswerFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { useAccount } from '#console/client/session.ts';
import { Sparkline } from '#console/components/charts/sparkline.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { Answered, EmptyState, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { lastMinute, perBucket } from '#console/pages/logger-rates.ts';
import { SearchLink } from '#console/pages/search-link.tsx';
import {
  ALL_LOGGERS,
  TablesWithoutLoggerNote,
  useTablesWithoutLogger,
} from '#console/pages/tables-without-logger-note.tsx';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import { LAST_DAY } from '#console/time/ranges.ts';
import { Time } from '#console/time/time.tsx';
import { isAtLeast } from '#contract/values.ts';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';

const RATES = 'GET /api/core/loggers/:guid/rates';
const SHOWN = 12;
const BUCKETS = 48;

export function Sources() {
  const { home: labels } = useLabels();
  const loggers = useAnswer('GET /api/core/loggers', ALL_LOGGERS, { every: REFRESH_MS });
  const others = useTablesWithoutLogger(REFRESH_MS);
  return (
    <Panel title={labels.sources}>
      <Answered answer={loggers}>
        {(answer) => {
          if (answer.loggers.length > 0) return <Rates loggers={answer.loggers.slice(0, SHOWN)} />;
          if (others === undefined) return <Loading />;
          return others.length === 0 && <FirstLog />;
        }}
      </Answered>
      {others && <TablesWithoutLoggerNote tables={others} />}
    </Panel>
  );
}

/** A member sees its own tables only: whether others have records is not known. */
function FirstLog() {
  const { home: labels } = useLabels();
  const { role_name } = useAccount();
  if (!isAtLeast(role_name, 'ADMIN')) return <EmptyState icon="sources" title={labels.noSharedSources} />;
  const command = `curl -H "Authorization: Bearer $KEY" -d '{"msg":"hello"}' '${location.origin}/api/core/tables/web/logs?create=true'`;
  return (
    <EmptyState icon="sources" title={labels.noSources} text={labels.sourcesText}>
      <code className={styles.command}>{command}</code>
    </EmptyState>
  );
}

type Logger = AnswerFor<'GET /api/core/loggers'>['loggers'][number];

function Rates({ loggers }: { readonly loggers: readonly Logger[] }) {
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
      {loggers.map((logger, index) => {
        const rates = answers[index]?.data?.rates ?? [];
        const count = lastMinute(rates);
        return (
          <li key={logger.guid}>
            <SearchLink query={`table ${logger.table_name}`} range={LAST_DAY}>
              <span className={styles.name}>{logger.name}</span>
            </SearchLink>
            <Sparkline label={logger.name} values={perBucket(rates, BUCKETS)} />
            <span className={styles.value}>{shortNumber(logger.log_count, locale)}</span>
            <span className={styles.note}>
              {/* Rates are counted from the start of the service on; a source may have sent before. */}
              {count > 0 ? labels.lastMinute(numberText(count, locale)) : <LastLog logger={logger} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function LastLog({ logger: { last_log } }: { readonly logger: Logger }) {
  const { home: labels } = useLabels();
  if (last_log === null) return labels.noLog;
  return (
    <>
      {labels.lastLog} <Time at={last_log} isRelative />
    </>
  );
}
