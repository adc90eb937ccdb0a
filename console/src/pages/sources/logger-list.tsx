// The list of loggers. Rates are asked for when a line comes into view.

import type { ReactNode } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Sparkline } from '#console/components/charts/sparkline.tsx';
import { type Column, DataTable, TIME_WIDTH } from '#console/components/data-table.tsx';
import type { Tone } from '#console/components/tone.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { lastMinute, perBucket } from '#console/pages/logger-rates.ts';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './sources.module.css';
import { type Logger, type LoggerState, stateOf } from './sources-search.ts';

const TONES: Readonly<Record<LoggerState, Tone>> = {
  running: 'good',
  failing: 'high',
  silent: 'medium',
  stopped: 'neutral',
};
const RATES_MS = 30_000;
const BUCKETS = 48;

interface LoggerListProps {
  readonly loggers: readonly Logger[];
  readonly openKey: string | undefined;
  onOpen(guid: string): void;
  readonly empty: ReactNode;
}

export function LoggerList({ loggers, openKey, onOpen, empty }: LoggerListProps) {
  const { sources: labels } = useLabels();
  const columns = [...useStateColumns(), ...useLocationColumns(), ...useCountColumns()];
  return (
    <DataTable
      label={labels.loggers}
      rows={loggers}
      rowKey={({ guid }) => guid}
      columns={columns}
      openKey={openKey}
      onOpen={({ guid }) => onOpen(guid)}
      empty={empty}
    />
  );
}

function useStateColumns(): readonly Column<Logger>[] {
  const { sources: labels, common } = useLabels();
  return [
    {
      id: 'name',
      header: common.name,
      width: 'minmax(9rem, 1fr)',
      sortValue: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      id: 'state',
      header: common.status,
      width: '6.5rem',
      sortValue: (logger) => stateOf(logger),
      cell: (logger) => <LoggerBadge logger={logger} />,
    },
    { id: 'rate', header: labels.rate, width: '14rem', cell: (logger) => <Rate logger={logger} /> },
  ];
}

function useLocationColumns(): readonly Column<Logger>[] {
  const { sources: labels } = useLabels();
  return [
    {
      id: 'kind',
      header: labels.kind,
      width: '8rem',
      sortValue: ({ logger_factory_name }) => logger_factory_name ?? '',
      cell: ({ logger_factory_name }) => <KindName kind={logger_factory_name} />,
    },
    {
      id: 'table',
      header: labels.table,
      width: '8rem',
      sortValue: ({ table_name }) => table_name,
      cell: ({ table_name }) => table_name,
    },
  ];
}

function useCountColumns(): readonly Column<Logger>[] {
  const { sources: labels } = useLabels();
  const { locale } = useLanguage();
  return [
    {
      id: 'last',
      header: labels.lastLog,
      width: TIME_WIDTH,
      sortValue: ({ last_log }) => last_log ?? undefined,
      cell: ({ last_log }) => (last_log === null ? labels.never : <Time at={last_log} />),
    },
    {
      id: 'count',
      header: labels.logs,
      width: '6rem',
      align: 'end',
      sortValue: ({ log_count }) => log_count,
      cell: ({ log_count }) => shortNumber(log_count, locale),
    },
    {
      id: 'drops',
      header: labels.drops,
      width: '6rem',
      align: 'end',
      sortValue: ({ drop_count }) => drop_count,
      cell: ({ drop_count }) => numberText(drop_count, locale),
    },
  ];
}

export function LoggerBadge({ logger }: { readonly logger: Logger }) {
  const { sources: labels } = useLabels();
  const state = stateOf(logger);
  return <StatusBadge tone={TONES[state]}>{labels.states[state]}</StatusBadge>;
}

export function KindName({ kind }: { readonly kind: string | null }) {
  const { sources: labels } = useLabels();
  const names: Readonly<Record<string, string>> = labels.factories;
  return kind === null ? labels.noModel : (names[kind] ?? kind);
}

function Rate({ logger: { guid, name } }: { readonly logger: Logger }) {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  const { data } = useAnswer('GET /api/core/loggers/:guid/rates', { guid }, { every: RATES_MS });
  const rates = data?.rates ?? [];
  return (
    <span className={styles.rate}>
      <Sparkline label={name} values={perBucket(rates, BUCKETS)} />
      <span>{labels.lastMinute(numberText(lastMinute(rates), locale))}</span>
    </span>
  );
}
