// The status of an event as a badge.

import { StatusBadge } from '#console/components/badge.tsx';
import type { Tone } from '#console/components/tone.ts';
import { useLabels } from '#console/labels/labels.tsx';
import type { Status } from './events-search.ts';

const TONES: Readonly<Record<Status, Tone>> = {
  new: 'accent',
  seen: 'neutral',
  closed: 'good',
  'false-positive': 'neutral',
};

export const EventStatus = ({ status }: { readonly status: Status }) => (
  <StatusBadge tone={TONES[status]}>{useLabels().status[status]}</StatusBadge>
);
