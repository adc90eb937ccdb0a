// The record of an event, and the words of its status.

import type { Translator } from '#cli/kit/translator.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import type { AnswerFor } from '#client/call.ts';

export type Event = AnswerFor<'GET /api/core/events'>['events'][number];
export type EventStatus = Event['status'];

const TITLES: Readonly<Record<EventStatus, MessageCode>> = {
  new: 'event-new',
  seen: 'event-seen',
  closed: 'event-closed',
  'false-positive': 'event-false-positive',
};

export const statusText = (status: EventStatus, { text }: Translator): string => text(TITLES[status]);
