// The navigation: pages that the role of the reader may use, and the account.

import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAccount } from '#console/client/session.ts';
import { Button, IconButton } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { Menu, MenuItems, MenuLabel, MenuSeparator } from '#console/components/overlays/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { LanguageChoice, ThemeChoice, ZoneChoice } from './choice-menus.tsx';
import { Logo } from './logo.tsx';
import styles from './navigation.module.css';
import { askAndSignOut } from './sign-out.ts';
import { usePages } from './use-pages.ts';

interface NavigationProps {
  readonly isCollapsed: boolean;
  readonly isDrawerOpen: boolean;
  onCollapse(isCollapsed: boolean): void;
  onCloseDrawer(): void;
  onOpenPalette(): void;
  onOpenHelp(): void;
}

export function Navigation({ isCollapsed, isDrawerOpen, ...actions }: NavigationProps) {
  const { shell, product, pages: names } = useLabels();
  const { onCloseDrawer } = actions;
  const { role_name } = useAccount();
  const pages = usePages().filter(({ role }) => isAtLeast(role_name, role));
  useEffect(() => {
    if (!isDrawerOpen) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && onCloseDrawer();
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isDrawerOpen, onCloseDrawer]);
  const classes = [styles.navigation, isCollapsed ? styles.collapsed : '', isDrawerOpen ? styles.open : ''];
  return (
    <>
      {isDrawerOpen && <div className={styles.backdrop} onClick={onCloseDrawer} aria-hidden="true" />}
      <nav className={classes.filter(Boolean).join(' ')} aria-label={shell.navigation}>
        <div className={styles.brand}>
          <Logo />
          <strong>{product}</strong>
          <span className={styles.collapse}>
            <IconButton
              size="small"
              icon="panel"
              label={isCollapsed ? shell.expand : shell.collapse}
              aria-expanded={!isCollapsed}
              onClick={() => actions.onCollapse(!isCollapsed)}
            />
          </span>
        </div>
        <Button className={styles.palette} icon="search" onClick={actions.onOpenPalette}>
          {shell.palette} <kbd>Ctrl K</kbd>
        </Button>
        <ul className={styles.pages}>
          {pages.map(({ label, icon, route }) => (
            <li key={label}>
              <Link
                to={route.fullPath}
                className={styles.link}
                title={isCollapsed ? names[label] : undefined}
                activeOptions={{ exact: route.fullPath === '/', includeSearch: false }}
                onClick={onCloseDrawer}
              >
                <Icon name={icon} size={18} />
                <span>{names[label]}</span>
              </Link>
            </li>
          ))}
        </ul>
        <AccountMenu onOpenHelp={actions.onOpenHelp} />
      </nav>
    </>
  );
}

function AccountMenu({ onOpenHelp }: Pick<NavigationProps, 'onOpenHelp'>) {
  const { shell, roles } = useLabels();
  const { login, name, role_name } = useAccount();
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={styles.account}>
          <span className="visually-hidden">{shell.account}</span>
          <span className={styles.initial} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
          <span className={styles.who}>
            <strong>{name}</strong>
            <span>{roles[role_name]}</span>
          </span>
        </button>
      }
    >
      <MenuLabel>{login}</MenuLabel>
      <MenuSeparator />
      <LanguageChoice />
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <ZoneChoice />
      <MenuSeparator />
      <MenuItems
        items={[
          { label: shell.help, icon: 'keyboard', end: '?', onSelect: onOpenHelp },
          { label: shell.reference, icon: 'external', onSelect: () => window.open('/docs', '_blank', 'noopener') },
          { label: shell.signOut, icon: 'signOut', onSelect: () => void askAndSignOut() },
        ]}
      />
    </Menu>
  );
}
