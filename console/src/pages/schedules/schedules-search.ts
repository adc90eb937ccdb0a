// The state of the page in its address, and the states of a schedule.

import type { AnswerFor } from '#client/call.ts';
import { addressOf, choice, choices, text } from '#console/address/address.ts';
import { LEDGER_DAYS } from '#console/components/slot-ledger/ledger-days.ts';
import type { Tone } from '#console/components/tone.ts';

export type Schedule = AnswerFor<'GET /api/core/scheduled-queries'>['scheduled_queries'][number];

export const STATES = ['running', 'failed', 'broken', 'disabled', 'idle'] as const;
export type ScheduleState = (typeof STATES)[number];
export const STATE_TONES: Readonly<Record<ScheduleState, Tone>> = {
  running: 'accent',
  failed: 'high',
  broken: 'high',
  disabled: 'neutral',
  idle: 'good',
};

export const TABS = ['slots', 'workflow', 'query'] as const;

export const readSchedulesSearch = addressOf({
  keywords: text,
  states: choices(STATES),
  /** The GUID of the schedule whose detail is shown. */
  schedule: text,
  tab: choice(TABS),
  days: choice(LEDGER_DAYS),
  /** Of the ledger. */
  hour: text,
});
export type SchedulesSearch = ReturnType<typeof readSchedulesSearch>;

/** The one that matters most to a reader. */
export function stateOf(schedule: Schedule): ScheduleState {
  if (schedule.running_state === 'running') return 'running';
  if (schedule.query_error !== null) return 'broken';
  if (!schedule.enabled) return 'disabled';
  return schedule.result_state === 'failed' ? 'failed' : 'idle';
}
