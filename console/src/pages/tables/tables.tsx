// Tables: the list with sizes, and one table with its days, its fields, its retention and the accounts that it is shared with.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { isAtLeast } from '#contract/values.ts';
import { CreateTable } from './create-table.tsx';
import { TableList } from './table-list.tsx';
import { TablePanel } from './table-panel.tsx';
import type { TableSummary, TablesSearch } from './tables-search.ts';
import { useTableRefresh } from './use-table-refresh.ts';

const route = getRouteApi('/tables');
const MAX_TABLES = 10_000;

export function Tables() {
  const { pages, tables: labels, common } = useLabels();
  const { search, change } = useAddress<TablesSearch>(route);
  const refresh = useTableRefresh();
  const { keywords, table } = search;
  const answer = useAnswer(
    'GET /api/core/tables',
    { limit: MAX_TABLES, ...(keywords === undefined ? {} : { keywords }) },
    { keepsPrevious: true },
  );
  useShortcut('r', common.refresh, refresh, 'page');
  useShortcut('escape', common.close, () => change({ table: undefined }), 'page');
  return (
    <PageFrame
      title={pages.tables}
      fills
      controls={
        <>
          <KeywordsField label={labels.keywords} {...boundFilters(search, change).one('keywords')} />
          <Button icon="refresh" onClick={refresh}>
            {common.refresh}
          </Button>
          <NewTable tables={answer.data?.tables ?? []} onMade={(name) => change({ table: name, tab: undefined })} />
        </>
      }
    >
      <RecordColumns
        list={
          <Answered answer={answer} lines={8}>
            {({ tables }) => (
              <TableList
                tables={tables}
                openKey={table}
                onOpen={(name) => change({ table: name === table ? undefined : name })}
                empty={<EmptyState icon="tables" title={labels.emptyTitle} text={labels.emptyText} />}
              />
            )}
          </Answered>
        }
        record={table !== undefined && <TablePanel key={table} name={table} search={search} onChange={change} />}
      />
    </PageFrame>
  );
}

interface NewTableProps {
  readonly tables: readonly TableSummary[];
  onMade(name: string): void;
}

function NewTable({ tables, onMade }: NewTableProps) {
  const { tables: labels } = useLabels();
  const { role_name } = useAccount();
  const refresh = useTableRefresh();
  const [isAsked, setAsked] = useState(false);
  if (!isAtLeast(role_name, 'ADMIN')) return undefined;
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setAsked(true)}>
        {labels.create}
      </Button>
      {isAsked && (
        <CreateTable
          tables={tables}
          onClose={() => setAsked(false)}
          onDone={(name) => {
            setAsked(false);
            refresh();
            onMade(name);
          }}
        />
      )}
    </>
  );
}
