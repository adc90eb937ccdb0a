// How many records each table has taken in day by day.

import { useQueries } from '@tanstack/react-query';
import { useAnswer } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { Panel } from '#console/components/page-frame.tsx';
import { Sparkline } from '#console/components/sparkline.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { byteText, shortNumber } from '#console/time/numbers.ts';
import { LAST_DAY } from '#console/time/ranges.ts';
import styles from './home.module.css';
import { REFRESH_MS } from './refresh.ts';

const DAYS = 'GET /api/core/tables/:table/days';
const SHOWN = 8;
const SHOWN_DAYS = 14;

interface Table {
  readonly table_name: string;
  readonly table_size: number;
}

export function TableGrowth() {
  const { home: labels } = useLabels();
  const tables = useAnswer('GET /api/core/tables', {}, { every: REFRESH_MS });
  return (
    <Panel title={labels.tables}>
      <Answered answer={tables}>
        {(answer) =>
          answer.tables.length === 0 ? (
            <EmptyState icon="tables" title={labels.noTables} />
          ) : (
            <Tables tables={answer.tables.toSorted((a, b) => b.table_size - a.table_size).slice(0, SHOWN)} />
          )
        }
      </Answered>
    </Panel>
  );
}

function Tables({ tables }: { readonly tables: readonly Table[] }) {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  const answers = useQueries({
    queries: tables.map(({ table_name: table }) => ({
      queryKey: [DAYS, { table }],
      queryFn: ({ signal }: { signal: AbortSignal }) => callWith({ signal, isRefresh: true }, DAYS, { table }),
      refetchInterval: REFRESH_MS,
    })),
  });
  return (
    <ul className={styles.lines}>
      {tables.map(({ table_name, table_size }, index) => {
        const days = answers[index]?.data?.days ?? [];
        const rows = days.map((day) => day.rows);
        return (
          <li key={table_name}>
            <SearchLink query={`table ${table_name}`} range={LAST_DAY}>
              <span className={styles.name}>{table_name}</span>
            </SearchLink>
            <Sparkline label={table_name} values={rows.slice(0, SHOWN_DAYS).toReversed()} />
            <span className={styles.value}>
              {shortNumber(
                rows.reduce((sum, count) => sum + count, 0),
                locale,
              )}
            </span>
            <span className={styles.note}>
              {byteText(table_size)} · {labels.rows(shortNumber(rows[0] ?? 0, locale))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
