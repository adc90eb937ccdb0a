// Audit: the entries of the trail, one of them in full, and the proof.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { Button } from '#console/components/button.tsx';
import { TimeRangePicker } from '#console/components/forms/time-range-picker.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { Tabs } from '#console/components/tabs.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { numberText } from '#console/time/numbers.ts';
import styles from './audit.module.css';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearch, rangeIn } from './audit-search.ts';
import { EntryDetail } from './entry-detail.tsx';
import { EntryList } from './entry-list.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Proof } from './proof.tsx';
import { useEntries } from './use-entries.ts';

const route = getRouteApi('/audit');

export function Audit() {
  const { pages, audit: labels } = useLabels();
  const { search, change } = useAddress<AuditSearch>(route);
  const view = search.view ?? 'entries';
  return (
    <PageFrame title={pages.audit} fills={view === 'entries'}>
      <Tabs
        label={labels.views}
        value={view}
        onChange={(next) => change({ view: next === 'entries' ? undefined : next })}
        tabs={[
          { value: 'entries', label: labels.entries, content: <Entries search={search} change={change} /> },
          { value: 'proof', label: labels.proof, content: <Proof /> },
        ]}
      />
    </PageFrame>
  );
}

interface EntriesProps {
  readonly search: AuditSearch;
  change(changed: AuditSearch): void;
}

function Entries({ search, change }: EntriesProps) {
  const { audit: labels, common } = useLabels();
  const { filters, entries, total, isWhole, list, readMore, refresh } = useEntries(search);
  const [isExporting, setExporting] = useState(false);
  const open = (entry: number | undefined) => change({ entry });
  const filter = (changed: AuditSearch) => {
    change(changed);
    refresh();
  };
  useEntryKeys({ ids: entries?.map(({ id }) => id) ?? [], openId: search.entry, open, refresh });
  return (
    <div className={styles.entries}>
      <AuditFilters search={search} entries={entries ?? []} onChange={filter} />
      <div className={styles.bar}>
        <Count search={search} count={entries?.length ?? 0} total={total} isWhole={isWhole} />
        <TimeRangePicker value={rangeIn(search)} onChange={filter} />
        <Button icon="download" onClick={() => setExporting(true)}>
          {labels.export}
        </Button>
        <Button icon="refresh" onClick={refresh}>
          {common.refresh}
        </Button>
      </div>
      <RecordColumns
        list={
          <Answered answer={list} lines={8}>
            {() => (
              <EntryList
                entries={entries ?? []}
                openKey={search.entry === undefined ? undefined : String(search.entry)}
                onOpen={({ id }) => open(id === search.entry ? undefined : id)}
                onEnd={readMore}
                empty={<EmptyState icon="audit" title={labels.emptyTitle} text={labels.emptyText} />}
              />
            )}
          </Answered>
        }
        record={
          search.entry !== undefined && (
            <EntryDetail
              key={search.entry}
              id={search.entry}
              known={entries?.find(({ id }) => id === search.entry)}
              onClose={() => open(undefined)}
              onFilter={filter}
            />
          )
        }
      />
      {isExporting && (
        <ExportDialog filters={filters} search={search} total={total} onClose={() => setExporting(false)} />
      )}
    </div>
  );
}

interface CountProps {
  readonly search: AuditSearch;
  readonly count: number;
  readonly total: number;
  readonly isWhole: boolean;
}

/** Of a user or an address the number is known once all entries that mention it are read. */
function Count({ search: { user, address }, count, total, isWhole }: CountProps) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  const isExact = (user === undefined && address === undefined) || isWhole;
  const shown = user === undefined && address === undefined ? total : count;
  return (
    <span className={styles.count} aria-live="polite">
      {isExact
        ? labels.total(numberText(shown, locale))
        : labels.read(numberText(count, locale), numberText(total, locale))}
    </span>
  );
}

interface EntryKeys {
  readonly ids: readonly number[];
  readonly openId: number | undefined;
  open(id: number | undefined): void;
  refresh(): void;
}

function useEntryKeys({ ids, openId, open, refresh }: EntryKeys): void {
  const { audit: labels, common } = useLabels();
  const step = (by: number) => {
    const next = ids[Math.max(0, (openId === undefined ? -1 : ids.indexOf(openId)) + by)];
    if (next !== undefined) open(next);
  };
  useShortcut('j', labels.next, () => step(1), 'page');
  useShortcut('k', labels.previous, () => step(-1), 'page');
  useShortcut('r', common.refresh, refresh, 'page');
  useShortcut('escape', common.close, () => open(undefined), 'page');
}
