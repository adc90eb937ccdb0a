// Says which tables have records although no logger writes to them, with a link to each. Home and Sources share it.

import { useAnswer } from '#console/client/answers.ts';
import { ALL_TABLES } from '#console/components/query-editor/service-names.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { LAST_DAY } from '#console/time/ranges.ts';
import { SearchLink } from './search-link.tsx';
import { tablesWithoutLogger } from './tables-without-logger.ts';

const MAX_NAMES = 8;

/** More loggers than a page lists: a table counts as one without a logger only if none of all has it. */
export const ALL_LOGGERS = { limit: 10_000 };

/** Undefined until both lists are there. */
export function useTablesWithoutLogger(every: number): readonly string[] | undefined {
  const tables = useAnswer('GET /api/core/tables', ALL_TABLES, { every });
  const loggers = useAnswer('GET /api/core/loggers', ALL_LOGGERS, { every });
  return tables.data && loggers.data && tablesWithoutLogger(tables.data.tables, loggers.data.loggers);
}

/** Nothing without such tables. */
export function TablesWithoutLoggerNote({ tables }: { readonly tables: readonly string[] }) {
  const { home: labels } = useLabels();
  const { locale } = useLanguage();
  if (tables.length === 0) return undefined;
  const hidden = tables.length - MAX_NAMES;
  return (
    <p>
      {labels.withoutLogger}{' '}
      {tables.slice(0, MAX_NAMES).map((table, index) => (
        <span key={table}>
          {index > 0 && ', '}
          <SearchLink query={`table ${table}`} range={LAST_DAY}>
            {table}
          </SearchLink>
        </span>
      ))}
      {hidden > 0 && ` ${labels.furtherTables(numberText(hidden, locale))}`}
    </p>
  );
}
