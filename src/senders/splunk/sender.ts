// Splunk's HTTP Event Collector. Its clients send again after a 503 whose code is 9. The answer names the first event that is not
// kept; the others are.

import type { ApiError } from '#contract/errors.ts';
import { int32, optional, record, string } from '#operations/answers/shapes.ts';
import { keysIn } from '#operations/credentials.ts';
import { described } from '#operations/described.ts';
import { Answer, type RequestHead } from '#operations/endpoint.ts';
import { anyText, inQuery } from '#operations/params/params.ts';
import type { Fate } from '#senders/decoded.ts';
import { retryHeaders } from '#senders/retry.ts';
import type { LogRoute, Sender } from '#senders/sender.ts';
import { type Category, categoryOf, SenderError } from '#senders/sender-error.ts';
import { decodeSplunk } from './decode.ts';
import { CHANNEL_HEADER, channelParams, hecError, hecProbes } from './probes.ts';

const success = record({
  text: string('Text of the outcome.', 'Success'),
  code: int32('Code of the outcome.', 0),
  ackId: optional(int32('Number of the request in its channel, for requests with a channel.', 0)),
});

interface HecAnswer {
  readonly status: number;
  readonly code: number;
  readonly text: string;
}

const refusal = (status: number, code: number, text: string): HecAnswer => ({ status, code, text });

const REFUSALS: Readonly<Record<Category, HecAnswer>> = {
  invalid: refusal(400, 6, 'Invalid data format'),
  'no-table': refusal(400, 7, 'Incorrect index'),
  unauthorized: refusal(403, 4, 'Invalid token'),
  forbidden: refusal(403, 1, 'Token disabled'),
  absent: refusal(404, 404, 'The requested URL was not found on this server.'),
  'too-large': refusal(413, 6, 'Invalid data format'),
  unsupported: refusal(415, 6, 'Invalid data format'),
  busy: refusal(503, 9, 'Server is busy'),
  unavailable: refusal(503, 9, 'Server is busy'),
  defect: refusal(500, 8, 'Internal server error'),
};

const FAULTS: Partial<Readonly<Record<SenderError['fault'], HecAnswer>>> = {
  empty: refusal(400, 5, 'No data'),
  'no-channel': refusal(400, 10, 'Data channel is missing'),
};

/** Of the first event that is not kept; all other reasons are that of `invalid`. */
const EVENT_FAULTS: Partial<Readonly<Record<Fate, HecAnswer>>> = {
  'event-missing': refusal(400, 12, 'Event field is required'),
  'event-blank': refusal(400, 13, 'Event field cannot be blank'),
  'no-table': REFUSALS['no-table'],
  'no-permission': REFUSALS.forbidden,
};

/** Codes of errors that name the event at fault. */
const CODES_OF_EVENTS = [6, 7, 12, 13];

/** Facts of raw text that events bring themselves. */
const ofRaw = {
  host: inQuery(described(anyText, 'Host of all lines.')),
  source: inQuery(described(anyText, 'Source of all lines.')),
  sourcetype: inQuery(described(anyText, 'Type of all lines; the parser with this code reads them, if there is one.')),
  index: inQuery(described(anyText, 'Table of all lines.')),
  time: inQuery(described(anyText, 'Time of all lines in epoch seconds.')),
};

const EVENT_PATHS = [
  '/services/collector',
  '/services/collector/1.0',
  '/services/collector/event',
  '/services/collector/event/1.0',
] as const;
const RAW_PATHS = ['/services/collector/raw', '/services/collector/raw/1.0'] as const;

const eventRoute = (path: LogRoute['path']): LogRoute => ({
  name: 'event',
  title: `Send events (Splunk HEC, ${path})`,
  notes:
    'Events as JSON objects one after another, or as one array: `{time, host, source, sourcetype, index, event, ' +
    'fields}`; `index` names the table. The content type is ignored. An event that cannot be kept does not affect others, unless it ' +
    'is no JSON: what follows it cannot be read then. The answer is 400 with the code and the number of the first one.',
  method: 'POST',
  path,
  params: channelParams,
  answer: success,
});

const rawRoute = (path: LogRoute['path']): LogRoute => ({
  name: 'raw',
  title: `Send raw lines (Splunk HEC, ${path})`,
  notes: 'One log per line of text; what holds for all of them is in the query string.',
  method: 'POST',
  path,
  params: { ...ofRaw, ...channelParams },
  answer: success,
});

export const splunk: Sender<undefined> = {
  name: 'splunk',
  routes: [...EVENT_PATHS.map(eventRoute), ...RAW_PATHS.map(rawRoute)],
  probes: hecProbes([...EVENT_PATHS, ...RAW_PATHS], refuse),
  types: ['*/*'],
  sample: '{"event":"hello","sourcetype":"web"}',
  rejectsTables: 'item',
  reportsFaults: 'request',
  refusals: { shape: hecError, of: refuse },
  decode: decodeSplunk,
  parserHint: ({ route, params }) => (route === 'raw' ? params.sourcetype : undefined),
  answer({ request, fates, next }) {
    const { firstRejected } = fates;
    if (firstRejected !== undefined) return rejection(fates.of(firstRejected), firstRejected);
    const { channel, [CHANNEL_HEADER]: given = channel } = request.params;
    return new Answer({ text: 'Success', code: 0, ...(given ? { ackId: next(given) } : {}) });
  },
};

function rejection(fate: Fate, item: number): Answer<object> {
  const { status, code, text } = EVENT_FAULTS[fate] ?? REFUSALS.invalid;
  const number = CODES_OF_EVENTS.includes(code) ? { 'invalid-event-number': item } : {};
  return new Answer({ text, code, ...number }, { status });
}

function refuse(error: ApiError, head: RequestHead): Answer<object> {
  const { status, code, text } = refusalOf(error, head);
  return new Answer({ text, code }, { status, headers: status === 503 ? retryHeaders(error) : {} });
}

function refusalOf(error: ApiError, { headers }: RequestHead): HecAnswer {
  const fault = error instanceof SenderError ? FAULTS[error.fault] : undefined;
  if (fault) return fault;
  const category = categoryOf(error);
  if (category !== 'unauthorized') return REFUSALS[category];
  const keys = keysIn(headers, true);
  if (keys === undefined) return refusal(401, 2, 'Token is required');
  return keys.length === 0 ? refusal(401, 3, 'Invalid authorization') : REFUSALS.unauthorized;
}
