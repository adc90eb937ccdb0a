// The frame of the application: navigation, palette, help, and the page.

import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { readPreference, writePreference } from '#console/client/preference.ts';
import { IconButton } from '#console/components/button.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './frame.module.css';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { Permitted } from './permitted.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { ShortcutsProvider, useShortcut } from './shortcuts.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

export const Frame = () => (
  <ShortcutsProvider>
    <FrameContent />
  </ShortcutsProvider>
);

function FrameContent() {
  const labels = useLabels();
  const [isCollapsed, setCollapsed] = useState(() => readPreference('navigation') === 'collapsed');
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcut('mod+k', labels.shortcuts.palette, () => setPaletteOpen(true));
  useShortcut('?', labels.shortcuts.help, () => setHelpOpen(true));
  useEffect(() => writePreference('navigation', isCollapsed ? 'collapsed' : 'open'), [isCollapsed]);
  return (
    <div className={isCollapsed ? `${styles.frame} ${styles.collapsed}` : styles.frame}>
      <a className={styles.skip} href="#content">
        {labels.shell.skip}
      </a>
      <header className={styles.bar}>
        <IconButton icon="menu" label={labels.shell.openNavigation} onClick={() => setDrawerOpen(true)} />
        <Logo />
        <strong>{labels.product}</strong>
        <IconButton icon="search" label={labels.shell.palette} onClick={() => setPaletteOpen(true)} />
      </header>
      <Navigation
        isCollapsed={isCollapsed}
        isDrawerOpen={isDrawerOpen}
        onCollapse={setCollapsed}
        onCloseDrawer={() => setDrawerOpen(false)}
        onOpenPalette={() => setPaletteOpen(true)}
        onOpenHelp={() => setHelpOpen(true)}
      />
      <main id="content" className={styles.content} tabIndex={-1}>
        <Permitted>
          <Outlet />
        </Permitted>
      </main>
      <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} onOpenHelp={() => setHelpOpen(true)} />
      <ShortcutHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
      <UnsavedGuard />
    </div>
  );
}
