// Short coloured words: priorities, states. The word itself tells what the colour does.

import type { ReactNode } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './badge.module.css';
import type { Tone } from './tone.ts';

export const StatusBadge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
);

export type Priority = 'HIGH' | 'MEDIUM' | 'LOW';
export const PRIORITY_TONES: Readonly<Record<Priority, Tone>> = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' };

export const PriorityBadge = ({ priority }: { readonly priority: Priority }) => (
  <StatusBadge tone={PRIORITY_TONES[priority]}>{useLabels().priority[priority]}</StatusBadge>
);
