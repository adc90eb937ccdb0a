// The state of the page in its address. Pasted lines and keys never stand there.

import type { AnswerFor } from '#client/call.ts';
import { addressOf, choice, text } from '#console/address/address.ts';
import { KIND_IDS } from './add/kinds.ts';

export const STEPS = ['kind', 'parser', 'table', 'send'] as const;
export const STATES = ['running', 'failing', 'silent', 'stopped'] as const;

export type Logger = AnswerFor<'GET /api/core/loggers'>['loggers'][number];
export type Step = (typeof STEPS)[number];
export type LoggerState = (typeof STATES)[number];

export const readSourcesSearch = addressOf({
  keywords: text,
  state: choice(STATES),
  /** The GUID of the logger whose detail is shown. */
  logger: text,
  /** The step of 'Add data'; absent while the list is shown. */
  add: choice(STEPS),
  kind: choice(KIND_IDS),
  parser: text,
  table: text,
});
export type SourcesSearch = ReturnType<typeof readSourcesSearch>;

/** A failure is worse than silence, and a logger that is off is neither. */
export function stateOf({ enabled, failure, silent_since }: Logger): LoggerState {
  if (!enabled) return 'stopped';
  if (failure !== null) return 'failing';
  return silent_since === null ? 'running' : 'silent';
}
