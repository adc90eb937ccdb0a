// A menu behind a button.

import * as RadixMenu from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '#console/components/icon.tsx';
import styles from './popup.module.css';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** Beside the label: a shortcut, a number. */
  readonly end?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  onSelect(): void;
}

interface MenuProps {
  /** One button. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom' | 'right';
}

export const Menu = ({ trigger, children, align = 'start', side = 'bottom' }: MenuProps) => (
  <RadixMenu.Root modal={false}>
    <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
    <RadixMenu.Portal>
      <RadixMenu.Content className={styles.menu} align={align} side={side} sideOffset={4} collisionPadding={8}>
        {children}
      </RadixMenu.Content>
    </RadixMenu.Portal>
  </RadixMenu.Root>
);

export const MenuItems = ({ items }: { readonly items: readonly MenuItem[] }) =>
  items.map(({ label, icon, end, isDangerous = false, isDisabled = false, onSelect }) => (
    <RadixMenu.Item
      key={label}
      className={isDangerous ? `${styles.item} ${styles.danger}` : styles.item}
      disabled={isDisabled}
      onSelect={onSelect}
    >
      {icon && <Icon name={icon} />}
      {label}
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </RadixMenu.Item>
  ));

interface MenuChoiceProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  onChange(value: V): void;
}

export const MenuChoice = <V extends string>({ label, value, options, onChange }: MenuChoiceProps<V>) => (
  <RadixMenu.Group>
    <RadixMenu.Label className={styles.group}>{label}</RadixMenu.Label>
    {/* Its values are those of the options. */}
    <RadixMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as V)}>
      {options.map((option) => (
        <RadixMenu.RadioItem key={option.value} className={styles.item} value={option.value}>
          {option.label}
          <RadixMenu.ItemIndicator className={styles.end}>
            <Icon name="check" />
          </RadixMenu.ItemIndicator>
        </RadixMenu.RadioItem>
      ))}
    </RadixMenu.RadioGroup>
  </RadixMenu.Group>
);

export const MenuSeparator = () => <RadixMenu.Separator className={styles.separator} />;
export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <RadixMenu.Label className={styles.group}>{children}</RadixMenu.Label>
);
