// Tabs: several views of one thing.

import * as RadixTabs from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly content: ReactNode;
}

export interface TabsProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly tabs: readonly Tab<V>[];
  onChange(value: V): void;
}

export const Tabs = <V extends string>({ label, value, tabs, onChange }: TabsProps<V>) => (
  // Its values are those of the tabs.
  <RadixTabs.Root className={styles.root} value={value} onValueChange={(next) => onChange(next as V)}>
    <RadixTabs.List className={styles.list} aria-label={label}>
      {tabs.map((tab) => (
        <RadixTabs.Trigger key={tab.value} className={styles.trigger} value={tab.value}>
          {tab.label}
        </RadixTabs.Trigger>
      ))}
    </RadixTabs.List>
    {tabs.map((tab) => (
      <RadixTabs.Content key={tab.value} className={styles.content} value={tab.value}>
        {tab.content}
      </RadixTabs.Content>
    ))}
  </RadixTabs.Root>
);
