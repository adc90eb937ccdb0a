// The rows of a lookup: read, found, changed one by one, and loaded from a file.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plainRequest } from '#client/plain-request.ts';
import { type Account, useAccount } from '#console/client/session.ts';
import { Aged } from '#console/components/aged.tsx';
import { Button } from '#console/components/button.tsx';
import { DataTable } from '#console/components/data-table.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { numberText } from '#console/time/numbers.ts';
import { isAtLeast } from '#contract/values.ts';
import { LookupRowDialog } from './lookup-row-dialog.tsx';
import { LookupUpload } from './lookup-upload.tsx';
import { type LookupRow, MAX_READ_ROWS, ROWS, readRows, rowText } from './lookup-values.ts';
import type { Lookup } from './lookups.tsx';

const PAGE_ROWS = 500;

interface LookupRowsProps {
  readonly record: Lookup;
  onClose(): void;
}

/** As the service decides it: administrators, the owner, and grants that are not for reading alone. */
function mayWriteRows({ owner_guid, shared_users, shared_groups }: Lookup, { guid, role_name }: Account): boolean {
  if (isAtLeast(role_name, 'ADMIN') || owner_guid === guid) return true;
  // A member sees the grants of itself and of its groups alone.
  return [...shared_users, ...shared_groups].some(({ read_only }) => !read_only);
}

export function LookupRows({ record: lookup, onClose }: LookupRowsProps) {
  const { administration, table } = useLabels();
  const { lookups: names } = administration;
  const { locale } = useLanguage();
  const account = useAccount();
  const [keywords, setKeywords] = useState<string>();
  const [open, setOpen] = useState<LookupRow | 'new' | 'upload'>();
  const rows = useRows(lookup.guid, keywords);
  const isWriter = mayWriteRows(lookup, account);
  const done = () => setOpen(undefined);
  return (
    <Dialog isOpen isWide onClose={onClose} title={names.rowsOf(lookup.name)}>
      <div className={styles.rows}>
        <div className={styles.toolbar}>
          <KeywordsField label={administration.keywords} value={keywords} onChange={setKeywords} />
          <span className={styles.count} aria-live="polite">
            {rows.found && table.rows(numberText(rows.total, locale))}
          </span>
          <a href={csvPath(lookup.guid)} download={`${lookup.name}.csv`}>
            {names.download}
          </a>
          {isWriter && (
            <>
              <Button icon="sources" onClick={() => setOpen('upload')}>
                {names.upload}
              </Button>
              <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
                {names.addRow}
              </Button>
            </>
          )}
        </div>
        <RowTable lookup={lookup} rows={rows} {...(isWriter ? { onOpen: setOpen } : {})} />
      </div>
      {open === 'upload' && <LookupUpload lookup={lookup} onClose={done} />}
      {open !== undefined && open !== 'upload' && (
        <LookupRowDialog lookup={lookup} row={open === 'new' ? undefined : open} onClose={done} />
      )}
    </Dialog>
  );
}

const csvPath = (guid: string): string => plainRequest(ROWS, { guid, format: 'csv', limit: MAX_READ_ROWS }).path;

function useRows(guid: string, keywords: string | undefined) {
  const list = useInfiniteQuery({
    queryKey: [ROWS, guid, keywords ?? ''],
    queryFn: ({ pageParam, signal }) =>
      readRows({ guid, offset: pageParam, limit: PAGE_ROWS, ...(keywords ? { keywords } : {}) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ total_count }, pages) => {
      const read = pages.reduce((sum, { rows }) => sum + rows.length, 0);
      return read < total_count ? read : undefined;
    },
  });
  return {
    found: list.data?.pages.flatMap(({ rows }) => rows),
    columns: list.data?.pages[0]?.columns ?? [],
    total: list.data?.pages[0]?.total_count ?? 0,
    answer: list,
    error: list.error,
    refetch: () => void list.refetch(),
    readMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
  };
}

interface RowTableProps {
  readonly lookup: Lookup;
  readonly rows: ReturnType<typeof useRows>;
  onOpen?(row: LookupRow): void;
}

function RowTable({ lookup, rows, onOpen }: RowTableProps) {
  const { administration } = useLabels();
  const { lookups: names } = administration;
  const { found, columns, error } = rows;
  if (!found) return error ? <Failed error={error} onRetry={rows.refetch} /> : <Loading lines={6} />;
  return (
    <Aged answers={[rows.answer]}>
      <DataTable
        label={names.rowsOf(lookup.name)}
        rows={found}
        rowKey={(row) => rowText(row[lookup.key])}
        columns={columns.map((column) => ({
          id: column,
          header: column,
          width: 'minmax(9rem, 1fr)',
          cell: (row: LookupRow) => rowText(row[column]),
        }))}
        onEnd={rows.readMore}
        empty={<EmptyState icon="list" title={names.noRows} />}
        {...(onOpen ? { onOpen } : {})}
      />
    </Aged>
  );
}
