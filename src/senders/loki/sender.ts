// Loki's push: Promtail, Alloy, Docker's driver and the libraries of loggers. Errors are one line of text.

import type { ApiError } from '#contract/errors.ts';
import { nothing, string } from '#operations/answers/shapes.ts';
import { Answer } from '#operations/endpoint.ts';
import { BodyRefused } from '#senders/decoded.ts';
import { retryHeaders } from '#senders/retry.ts';
import type { Outcome, Sender } from '#senders/sender.ts';
import { type Category, categoryOf } from '#senders/sender-error.ts';
import { decodeLoki } from './decode.ts';

const TEXT = 'text/plain; charset=utf-8';
const REJECTED = 'X-Vigil-Rejected';

const STATUSES: Readonly<Record<Category, number>> = {
  invalid: 400,
  'no-table': 400,
  unauthorized: 401,
  forbidden: 403,
  absent: 404,
  'too-large': 413,
  unsupported: 415,
  busy: 429,
  unavailable: 503,
  defect: 500,
};

export const loki: Sender<undefined> = {
  name: 'loki',
  routes: [
    {
      name: 'push',
      title: 'Push streams (Loki)',
      notes:
        'Streams with labels and lines, as JSON or as protobuf in one snappy block. The label `vigil_table` names the ' +
        'table and is not kept. Errors are one line of text.',
      method: 'POST',
      path: '/loki/api/v1/push',
      params: {},
      answer: nothing,
      answerStatus: 204,
      answerHeaders: { [REJECTED]: 'Number of rejected entries, where there are any.' },
    },
  ],
  probes: [],
  types: ['application/json', 'application/x-protobuf'],
  takesSnappy: true,
  sample: '{"streams":[{"stream":{"app":"web"},"values":[["1709280000000000000","hello"]]}]}',
  rejectsTables: 'request',
  reportsFaults: 'rest',
  refusals: { shape: string, type: 'text/plain', of: refuse },
  decode: decodeLoki,
  answer,
};

function answer({ fates }: Outcome): Answer<object> {
  const { rejected } = fates;
  if (rejected === 0) return new Answer({}, { status: 204 });
  if (rejected === fates.count) throw new BodyRefused('malformed', { item: 0, detail: fates.of(0) });
  return new Answer({}, { status: 204, headers: { [REJECTED]: String(rejected) } });
}

function refuse(error: ApiError): Answer<object> {
  const category = categoryOf(error);
  const isPassing = category === 'busy' || category === 'unavailable';
  const headers = { 'content-type': TEXT, ...(isPassing ? retryHeaders(error) : {}) };
  return new Answer<object>(`${error.message}\n`, { status: STATUSES[category], headers });
}
