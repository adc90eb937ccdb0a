// How many records each table has taken in day by day.

import { useQueries } from '@tanstack/react-query';
import { useAnswer } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { useAccount } from '#console/client/session.ts';
import { Sparkline } from '#console/components/charts/sparkline.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { ALL_TABLES } from '#console/components/query-editor/service-names.ts';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { now, toStamp } from '#console/time/moments.ts';
import { byteText, shortNumber } from '#console/time/numbers.ts';
import { LAST_DAY } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';
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
  const isAdmin = isAtLeast(useAccount().role_name, 'ADMIN');
  const tables = useAnswer('GET /api/core/tables', ALL_TABLES, { every: REFRESH_MS });
  return (
    <Panel title={labels.tables}>
      <Answered answer={tables}>
        {(answer) =>
          answer.tables.length === 0 ? (
            <EmptyState icon="tables" title={isAdmin ? labels.noTables : labels.noSharedTables} />
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
        const [newest] = days;
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
              {byteText(table_size)}
              {newest && (
                <>
                  {' · '}
                  <span className={styles.whole}>
                    {labels.rowsOfDay(shortNumber(newest.rows, locale), dayText(newest.day))}
                  </span>
                </>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Without the year where it is this one. */
const dayText = (day: string): string => (day.slice(0, 4) === toStamp(now()).slice(0, 4) ? day.slice(5) : day);
