// The command palette: pages and actions by name, from the keyboard.

import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { Icon, type IconName } from '#console/components/icon.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { containsWords } from '#console/filters/text-filter.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import type { Page } from '#console/pages/page.ts';
import { isAtLeast } from '#contract/values.ts';
import { LANGUAGES } from './choice-menus.tsx';
import styles from './palette.module.css';
import { useShortcut } from './shortcuts.tsx';
import { askAndSignOut } from './sign-out.ts';
import { chooseTheme, THEMES } from './theme.ts';
import { usePages } from './use-pages.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly group: 'pages' | 'actions';
  readonly label: string;
  readonly icon: IconName;
  readonly keys?: string;
  act(): void;
}

interface PaletteProps {
  readonly isOpen: boolean;
  onClose(): void;
  onOpenHelp(): void;
}

export function Palette({ isOpen, onClose, onOpenHelp }: PaletteProps) {
  const { shell } = useLabels();
  const entries = useEntries(onOpenHelp);
  return (
    <>
      {usePermittedPages().map((page) => (
        <PageShortcut key={page.label} page={page} />
      ))}
      <Dialog isOpen={isOpen} onClose={onClose} title={shell.palette}>
        <PaletteList entries={entries} onClose={onClose} />
      </Dialog>
    </>
  );
}

function usePermittedPages(): readonly Page[] {
  const { role_name } = useAccount();
  const pages = usePages();
  return useMemo(() => pages.filter(({ role }) => isAtLeast(role_name, role)), [pages, role_name]);
}

function PageShortcut({ page: { label, key, route } }: { readonly page: Page }) {
  const { shortcuts, pages } = useLabels();
  const navigate = useNavigate();
  useShortcut(`g ${key}`, shortcuts.goTo(pages[label]), () => void navigate({ to: route.fullPath }));
  return undefined;
}

function useEntries(onOpenHelp: () => void): readonly PaletteEntry[] {
  const { labels, choose } = useLanguage();
  const { shell, pages: names } = labels;
  const navigate = useNavigate();
  const pages = usePermittedPages();
  return [
    ...pages.map(
      ({ label, icon, key, route }): PaletteEntry => ({
        id: label,
        group: 'pages',
        label: names[label],
        icon,
        keys: `g ${key}`,
        act: () => void navigate({ to: route.fullPath }),
      }),
    ),
    ...LANGUAGES.map(
      ({ value, label }): PaletteEntry => ({
        id: value,
        group: 'actions',
        label: `${shell.language}: ${label}`,
        icon: 'language',
        act: () => choose(value),
      }),
    ),
    ...THEMES.map(
      (theme): PaletteEntry => ({
        id: theme,
        group: 'actions',
        label: `${shell.theme}: ${shell.themes[theme]}`,
        icon: 'theme',
        act: () => chooseTheme(theme),
      }),
    ),
    { id: 'help', group: 'actions', label: shell.help, icon: 'keyboard', keys: '?', act: onOpenHelp },
    { id: 'sign-out', group: 'actions', label: shell.signOut, icon: 'signOut', act: () => void askAndSignOut() },
  ];
}

interface PaletteListProps {
  readonly entries: readonly PaletteEntry[];
  onClose(): void;
}

function PaletteList({ entries, onClose }: PaletteListProps) {
  const { shell } = useLabels();
  const listId = useId();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const found = entries.filter(({ label }) => containsWords(label, text));
  const current = found[Math.min(selected, found.length - 1)];

  function run(entry: PaletteEntry | undefined) {
    if (!entry) return;
    onClose();
    entry.act();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(current);
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step !== undefined) setSelected((selected + step + found.length) % Math.max(1, found.length));
  }

  return (
    <>
      <input
        className={styles.input}
        type="text"
        role="combobox"
        aria-label={shell.palette}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current && `${listId}-${current.id}`}
        placeholder={shell.paletteHint}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={shell.palette} className={styles.list}>
        {found.map((entry) => (
          <PaletteOption
            key={entry.id}
            id={`${listId}-${entry.id}`}
            entry={entry}
            isSelected={entry === current}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      {found.length === 0 && <p className={styles.empty}>{shell.paletteEmpty}</p>}
    </>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isSelected: boolean;
  onRun(): void;
}

function PaletteOption({ id, entry, isSelected, onRun }: PaletteOptionProps) {
  const { shell } = useLabels();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: The keys of the list act on its input.
    <div id={id} role="option" tabIndex={-1} aria-selected={isSelected} className={styles.entry} onClick={onRun}>
      <Icon name={entry.icon} />
      <span>{entry.label}</span>
      <span className={styles.end}>{entry.keys ?? shell.groups[entry.group]}</span>
    </div>
  );
}
