// What can be done with a query and its result: history, save, share, export.

import { type ReactNode, useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import type { IconName } from '#console/components/icon.tsx';
import { Menu, MenuItems } from '#console/components/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { copyText } from '#console/pages/search/copy.ts';
import { absoluteRange, type Interval } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';
import { SaveDialog, type SaveKind } from './save-dialog.tsx';

interface ToolbarProps {
  readonly text: string;
  readonly interval: Interval;
  /** There once the query has rows. */
  readonly cursor: number | undefined;
}

export const Toolbar = ({ text, interval, cursor }: ToolbarProps) => (
  <>
    <SaveMenu text={text} interval={interval} />
    <ShareMenu interval={interval} />
    <ExportMenu cursor={cursor} />
  </>
);

function SaveMenu({ text, interval }: Pick<ToolbarProps, 'text' | 'interval'>) {
  const { search: labels } = useLabels();
  const { role_name } = useAccount();
  const [saving, setSaving] = useState<SaveKind>();
  const isDisabled = !isAtLeast(role_name, 'ADMIN');
  return (
    <>
      <ButtonMenu icon="star" label={labels.save}>
        <MenuItems
          items={[
            { label: labels.saveDataset, icon: 'database', onSelect: () => setSaving('dataset') },
            { label: labels.saveSchedule, icon: 'schedules', isDisabled, onSelect: () => setSaving('schedule') },
            { label: labels.saveRule, icon: 'rules', isDisabled, onSelect: () => setSaving('rule') },
          ]}
        />
      </ButtonMenu>
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

function ShareMenu({ interval }: Pick<ToolbarProps, 'interval'>) {
  const labels = useLabels();
  const { search } = labels;
  const copyLink = (address: string) => void copyText(address, labels, search.linkCopied);
  return (
    <ButtonMenu icon="share" label={search.share}>
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
    </ButtonMenu>
  );
}

function ExportMenu({ cursor }: Pick<ToolbarProps, 'cursor'>) {
  const { search: labels } = useLabels();
  return (
    <ButtonMenu icon="download" label={labels.export} isDisabled={cursor === undefined}>
      <MenuItems
        items={[
          { label: labels.exportCsv, icon: 'download', onSelect: () => download(cursor, 'csv') },
          { label: labels.exportJson, icon: 'download', onSelect: () => download(cursor, 'json') },
        ]}
      />
    </ButtonMenu>
  );
}

interface ButtonMenuProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

const ButtonMenu = ({ icon, label, isDisabled = false, children }: ButtonMenuProps) => (
  <Menu
    align="end"
    trigger={
      <Button kind="quiet" icon={icon} disabled={isDisabled}>
        {label}
      </Button>
    }
  >
    {children}
  </Menu>
);

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
