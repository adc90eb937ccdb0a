// One table: its days, its fields, its grants, and what can be done with it.

import { type ReactNode, useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { RecordPanel } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { Tabs } from '#console/components/tabs.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { LAST_DAY } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';
import { DaysTab } from './days-tab.tsx';
import { DropTable } from './drop-table.tsx';
import { FieldsTab } from './fields-tab.tsx';
import { SharingTab } from './sharing-tab.tsx';
import { TableSettings } from './table-settings.tsx';
import type { TableRecord, TablesSearch } from './tables-search.ts';
import { useTableRefresh } from './use-table-refresh.ts';

interface TablePanelProps {
  readonly name: string;
  readonly search: TablesSearch;
  onChange(changed: TablesSearch): void;
}

export function TablePanel({ name, search, onChange }: TablePanelProps) {
  const { tables: labels } = useLabels();
  const answer = useAnswer('GET /api/core/tables/:table', { table: name });
  const { data } = answer;
  return (
    <RecordPanel
      title={labels.detail}
      headline={name}
      actions={data?.table && <Actions table={data.table} onDropped={() => onChange({ table: undefined })} />}
      onClose={() => onChange({ table: undefined })}
    >
      <Answered answer={answer}>
        {({ table }) =>
          table ? (
            <TableTabs table={table} search={search} onChange={onChange} />
          ) : (
            <EmptyState icon="tables" title={labels.gone} />
          )
        }
      </Answered>
    </RecordPanel>
  );
}

interface TableTabsProps extends Pick<TablePanelProps, 'search' | 'onChange'> {
  readonly table: TableRecord;
}

function TableTabs({ table, search, onChange }: TableTabsProps) {
  const { tables: labels } = useLabels();
  const { tab = 'days', measure = 'rows' } = search;
  const contents: Readonly<Record<typeof tab, () => ReactNode>> = {
    days: () => <DaysTab table={table} measure={measure} onMeasure={(next) => onChange({ measure: next })} />,
    fields: () => <FieldsTab table={table.table_name} />,
    sharing: () => <SharingTab table={table} />,
  };
  return (
    <Tabs
      label={labels.detail}
      value={tab}
      tabs={(['days', 'fields', 'sharing'] as const).map((value) => ({
        value,
        label: labels.tabs[value],
        content: value === tab ? contents[value]() : undefined,
      }))}
      onChange={(next) => onChange({ tab: next })}
    />
  );
}

function Actions({ table, onDropped }: { readonly table: TableRecord; onDropped(): void }) {
  const { tables: labels, common } = useLabels();
  const { role_name } = useAccount();
  const refresh = useTableRefresh();
  const [asked, setAsked] = useState<'settings' | 'drop'>();
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    refresh();
  };
  return (
    <>
      <SearchLink query={`table ${table.table_name}`} range={LAST_DAY}>
        {labels.search}
      </SearchLink>
      {table.silent_since !== null && <StatusBadge tone="high">{labels.silent}</StatusBadge>}
      {isAtLeast(role_name, 'ADMIN') && (
        <>
          <Button size="small" icon="edit" onClick={() => setAsked('settings')}>
            {labels.settings}
          </Button>
          <Button size="small" icon="trash" onClick={() => setAsked('drop')}>
            {common.delete}
          </Button>
        </>
      )}
      {asked === 'settings' && <TableSettings table={table} onClose={close} onDone={done} />}
      {asked === 'drop' && (
        <DropTable
          table={table}
          onClose={close}
          onDone={() => {
            done();
            onDropped();
          }}
        />
      )}
    </>
  );
}
