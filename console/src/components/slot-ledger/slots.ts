// Slots of a schedule: what became of each, and how a group of them is summed up.

import type { AnswerFor } from '#client/call.ts';
import type { Tone } from '#console/components/tone.ts';
import type { Labels } from '#console/labels/en.ts';
import { parseStamp } from '#console/time/moments.ts';

export type Slot = AnswerFor<'GET /api/core/scheduled-queries/:guid/slots'>['slots'][number];

/** What a reader wants to know first, the worst first. */
const FATES = ['failed', 'missed', 'skipped', 'cancelled', 'queued', 'running', 'covered', 'succeeded'] as const;
export type Fate = (typeof FATES)[number];

/** A slot that did not run has its outcome, one that ran has the state of its run. The time of a covered one was analysed. */
export function fateOf({ outcome, reason, state }: Pick<Slot, 'outcome' | 'reason' | 'state'>): Fate {
  if (state !== null) return state;
  if (reason === 'covered') return 'covered';
  return outcome === 'missed' || outcome === 'skipped' ? outcome : 'running';
}

export const FATE_TONES: Readonly<Record<Fate, Tone>> = {
  failed: 'high',
  missed: 'medium',
  skipped: 'neutral',
  cancelled: 'low',
  queued: 'accent',
  running: 'accent',
  covered: 'good',
  succeeded: 'good',
};

export const fateText = (fate: Fate, { states, outcomes }: Labels['slots']): string =>
  fate === 'missed' || fate === 'skipped' ? outcomes[fate] : states[fate];

export const toneOfSlots = (slots: readonly Slot[]): Tone =>
  FATE_TONES[FATES.find((fate) => slots.some((slot) => fateOf(slot) === fate)) ?? 'succeeded'];

/** `3 slots: 2 Succeeded, 1 Missed (The service was not running)`. */
export function slotsText(slots: readonly Slot[], labels: Labels['slots']): string {
  const parts = FATES.flatMap((fate) => {
    const own = slots.filter((slot) => fateOf(slot) === fate);
    const reasons = new Set(own.flatMap(({ reason }) => (reason === null ? [] : [labels.reasons[reason]])));
    const why = reasons.size === 0 ? '' : ` (${[...reasons].join(', ')})`;
    return own.length === 0 ? [] : [`${own.length} ${fateText(fate, labels)}${why}`];
  });
  return `${labels.count(slots.length)}: ${parts.join(', ')}`;
}

/** Milliseconds of its run; undefined before the end. */
export function tookMs({ started, finished }: Pick<Slot, 'started' | 'finished'>): number | undefined {
  const [begin, end] = [started, finished].map((stamp) => (stamp === null ? undefined : parseStamp(stamp)));
  return begin === undefined || end === undefined ? undefined : end - begin;
}
