// What can be done with a query and its result: explain, save, share, export.

import { useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { Menu, type MenuItem, MenuItems } from '#console/components/overlays/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import type { RunRequest, Status } from '#console/results/query-run.ts';
import { absoluteRange, type Interval } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';
import type { SaveKind } from './save-dialog.tsx';

const ExplainDialog = lazyPart(() => import('#console/pages/search/explain/explain-dialog.tsx'), 'ExplainDialog', 0);
const SaveDialog = lazyPart(() => import('./save-dialog.tsx'), 'SaveDialog', 0);

interface ToolbarProps {
  readonly text: string;
  readonly interval: Interval;
  /** There once the query has rows. */
  readonly cursor: number | undefined;
  readonly status: Status | undefined;
}

export function Toolbar({ text, interval, cursor, status }: ToolbarProps) {
  const { search } = useLabels();
  const { role_name } = useAccount();
  const [saving, setSaving] = useState<SaveKind>();
  const isAdmin = isAtLeast(role_name, 'ADMIN');
  const ofAdmins: readonly MenuItem[] = [
    { label: search.saveSchedule, icon: 'schedules', onSelect: () => setSaving('schedule') },
    { label: search.saveRule, icon: 'rules', onSelect: () => setSaving('rule') },
  ];
  return (
    <>
      <ExplainButton request={{ text, interval }} status={status} />
      <Menu
        trigger={
          <Button kind="quiet" icon="star">
            {search.save}
          </Button>
        }
        align="end"
      >
        <MenuItems
          items={[
            { label: search.saveDataset, icon: 'database', onSelect: () => setSaving('dataset') },
            ...(isAdmin ? ofAdmins : []),
          ]}
        />
      </Menu>
      <ShareMenu interval={interval} />
      <Menu
        trigger={
          <Button kind="quiet" icon="download" disabled={cursor === undefined}>
            {search.export}
          </Button>
        }
        align="end"
      >
        <MenuItems
          items={[
            { label: search.exportCsv, icon: 'download', onSelect: () => download(cursor, 'csv') },
            { label: search.exportJson, icon: 'download', onSelect: () => download(cursor, 'json') },
          ]}
        />
      </Menu>
      {saving && (
        <SaveDialog
          kind={saving}
          text={text}
          seconds={Math.round((interval.to - interval.from) / 1000)}
          onClose={() => setSaving(undefined)}
        />
      )}
    </>
  );
}

function ExplainButton(asked: { readonly request: RunRequest; readonly status: Status | undefined }) {
  const { search } = useLabels();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon="bars" onClick={() => setOpen(true)}>
        {search.explain}
      </Button>
      {isOpen && <ExplainDialog {...asked} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareMenu({ interval }: Pick<ToolbarProps, 'interval'>) {
  const labels = useLabels();
  const { search } = labels;
  const copyLink = (address: string) => void copyText(address, labels, search.linkCopied);
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon="share">
          {search.share}
        </Button>
      }
      align="end"
    >
      <MenuItems
        items={[
          { label: search.copyLink, icon: 'link', onSelect: () => copyLink(location.href) },
          {
            label: search.copyFixedLink,
            icon: 'clock',
            onSelect: () => copyLink(fixedAddress(location.href, interval)),
          },
        ]}
      />
    </Menu>
  );
}

/** The same address with the moments of this run in place of a range that moves. */
export function fixedAddress(address: string, interval: Interval): string {
  const url = new URL(address);
  const { from, to } = absoluteRange(interval);
  url.searchParams.set('from', from);
  url.searchParams.set('to', to);
  return url.href;
}

const ALL_ROWS = '9223372036854775807';
const ENDINGS = { csv: 'csv', json: 'ndjson' };

/** By the browser, from the operation to the disk: rows do not pass through the memory of the page. */
function download(cursor: number | undefined, format: 'csv' | 'json'): void {
  if (cursor === undefined) return;
  const link = document.createElement('a');
  link.href = `/api/core/cursors/${cursor}?${new URLSearchParams({ format, times: 'millis', limit: ALL_ROWS })}`;
  link.download = `vigil-${cursor}.${ENDINGS[format]}`;
  link.click();
}
