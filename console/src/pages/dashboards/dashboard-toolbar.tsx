// What can be done with a dashboard that is looked at: time range, refresh, full screen, sharing, editing.

import { useAccount } from '#console/client/session.ts';
import { Button, IconButton } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { Select } from '#console/components/forms/select.tsx';
import { TimeRangePicker } from '#console/components/forms/time-range-picker.tsx';
import { Menu, MenuItems } from '#console/components/overlays/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { rangeOf } from '#console/time/ranges.ts';
import { type Dashboard, EMPTY_LAYOUT, mayChange, rangeOfSpan } from './dashboard.ts';
import { type DashboardsSearch, REFRESHES } from './dashboards-search.ts';

interface DashboardToolbarProps {
  /** Undefined until it is read, and where there is none. */
  readonly dashboard: Dashboard | undefined;
  readonly search: DashboardsSearch;
  onChange(change: DashboardsSearch): void;
  onRefresh(): void;
  onFullScreen(): void;
  onAsk(dialog: 'rename' | 'share' | 'remove'): void;
  onAdd(): void;
}

export function DashboardToolbar(props: DashboardToolbarProps) {
  const { dashboard, search, onChange, onRefresh, onFullScreen, onAsk, onAdd } = props;
  const labels = useLabels();
  const { dashboards: texts, common } = labels;
  const account = useAccount();
  const isWritable = dashboard !== undefined && mayChange(dashboard, account);
  const edit = () => isWritable && onChange({ edit: true });
  useShortcut('r', common.refresh, onRefresh, 'page');
  useShortcut('e', texts.edit, edit, 'page');
  useShortcut('f', texts.fullScreen, onFullScreen, 'page');
  useShortcut('n', texts.add, onAdd, 'page');
  const changes = [
    { label: texts.rename, icon: 'edit', onSelect: () => onAsk('rename') },
    { label: texts.remove, icon: 'trash', isDangerous: true, onSelect: () => onAsk('remove') },
  ] as const;
  const copyLink = {
    label: texts.copyLink,
    icon: 'link',
    onSelect: () => void copyText(location.href, labels),
  } as const;
  const items = [
    { label: texts.add, icon: 'plus', onSelect: onAdd } as const,
    copyLink,
    ...(isWritable ? changes : []),
  ];
  return (
    <>
      <TimeRangePicker
        value={rangeOf(search.from, search.to, rangeOfSpan((dashboard?.layout ?? EMPTY_LAYOUT).span))}
        onChange={({ from, to }) => onChange({ from, to })}
      />
      <Select
        label={texts.refreshEvery}
        value={String(search.refresh ?? 0)}
        options={REFRESHES.map((seconds) => ({ value: String(seconds), label: texts.refreshes[seconds] }))}
        onChange={(value) => onChange({ refresh: REFRESHES.find((one) => one > 0 && String(one) === value) })}
      />
      <IconButton icon="refresh" label={common.refresh} onClick={onRefresh} />
      <IconButton icon="expand" label={texts.fullScreen} onClick={onFullScreen} />
      {isWritable && (
        <>
          <IconButton icon="share" label={texts.share} onClick={() => onAsk('share')} />
          <Button icon="edit" onClick={edit}>
            {texts.edit}
          </Button>
        </>
      )}
      <Menu align="end" trigger={<IconButton icon="more" label={common.more} />}>
        <MenuItems items={items} />
      </Menu>
    </>
  );
}
