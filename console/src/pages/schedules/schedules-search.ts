// The state of the page in its address, and the states of a schedule.

import type { AnswerFor } from '#client/call.ts';
import { LEDGER_DAYS, type LedgerDays } from '#console/components/slot-ledger/ledger-days.ts';
import type { Tone } from '#console/components/tone.ts';
import { choiceIn, choicesIn, numberIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';

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

export interface SchedulesSearch {
  readonly keywords?: string | undefined;
  readonly states?: readonly ScheduleState[] | undefined;
  /** The GUID of the schedule whose detail is shown. */
  readonly schedule?: string | undefined;
  readonly tab?: (typeof TABS)[number] | undefined;
  readonly days?: LedgerDays | undefined;
  /** Of the ledger. */
  readonly hour?: string | undefined;
}

export const readSchedulesSearch = (search: RawSearch): SchedulesSearch =>
  present({
    keywords: textIn(search, 'keywords'),
    states: choicesIn(search, 'states', STATES),
    schedule: textIn(search, 'schedule'),
    tab: choiceIn(search, 'tab', TABS),
    days: LEDGER_DAYS.find((days) => days === numberIn(search, 'days')),
    hour: textIn(search, 'hour'),
  });

/** The one that matters most to a reader. */
export function stateOf(schedule: Schedule): ScheduleState {
  if (schedule.running_state === 'running') return 'running';
  if (schedule.query_error !== null) return 'broken';
  if (!schedule.enabled) return 'disabled';
  return schedule.result_state === 'failed' ? 'failed' : 'idle';
}
