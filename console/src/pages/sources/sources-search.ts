// The state of the page in its address. Pasted lines and keys never stand there.

import type { AnswerFor } from '#client/call.ts';
import { choiceIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';
import { KIND_IDS } from './add/kinds.ts';

export const STEPS = ['kind', 'parser', 'table', 'send'] as const;
export const STATES = ['running', 'failing', 'silent', 'stopped'] as const;

export type Logger = AnswerFor<'GET /api/core/loggers'>['loggers'][number];
export type Step = (typeof STEPS)[number];
export type LoggerState = (typeof STATES)[number];

export interface SourcesSearch {
  readonly keywords?: string | undefined;
  readonly state?: LoggerState | undefined;
  /** The GUID of the logger whose detail is shown. */
  readonly logger?: string | undefined;
  /** The step of 'Add data'; absent while the list is shown. */
  readonly add?: Step | undefined;
  readonly kind?: (typeof KIND_IDS)[number] | undefined;
  readonly parser?: string | undefined;
  readonly table?: string | undefined;
}

export const readSourcesSearch = (search: RawSearch): SourcesSearch =>
  present({
    keywords: textIn(search, 'keywords'),
    state: choiceIn(search, 'state', STATES),
    logger: textIn(search, 'logger'),
    add: choiceIn(search, 'add', STEPS),
    kind: choiceIn(search, 'kind', KIND_IDS),
    parser: textIn(search, 'parser'),
    table: textIn(search, 'table'),
  });

/** A failure is worse than silence, and a logger that is off is neither. */
export function stateOf({ enabled, failure, silent_since }: Logger): LoggerState {
  if (!enabled) return 'stopped';
  if (failure !== null) return 'failing';
  return silent_since === null ? 'running' : 'silent';
}
