// Operations of Splunk's HTTP Event Collector that take no logs: acknowledgement, health, and OPTIONS of every path.

import { type ApiError, bodyTooLarge, malformedBody, missing } from '#contract/errors.ts';
import { boolean, int32, mapOf, optional, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type AnyEndpoint, type Call, endpoint, type Refusals } from '#operations/endpoint.ts';
import { anyText, inHeader, inQuery } from '#operations/params/params.ts';
import { retryHeaders } from '#senders/retry.ts';
import { categoryOf, SenderError } from '#senders/sender-error.ts';

export const CHANNEL_HEADER = 'X-Splunk-Request-Channel';

export const channelParams = {
  channel: inQuery(described(anyText, 'Channel of the sender: the answer numbers its requests.')),
  [CHANNEL_HEADER]: inHeader(described(anyText, 'The same as `channel`.')),
};

export const hecError = record('HecError', {
  text: string('Text of the error.', 'Invalid data format'),
  code: int32('Code of the error.', 6),
  'invalid-event-number': optional(int32('Number of the event at fault, from 0.', 0)),
});

const healthAnswer = record({
  text: string('Text of the state.', 'HEC is healthy'),
  code: int32('Code of the state.', 17),
});

const ACK_PATHS = ['/services/collector/ack', '/services/collector/ack/1.0'] as const;
const HEALTH_PATHS = ['/services/collector/health', '/services/collector/health/1.0'] as const;
/** More than a client asks for at once; the body is parsed at once. */
const MAX_ACK_BYTES = 256 * 1024;

/** `paths` are those that take logs. */
export const hecProbes = (paths: readonly string[], refuse: Refusals['of']): readonly AnyEndpoint[] =>
  [
    ...ACK_PATHS.map((path) => acknowledge(path, refuse)),
    ...HEALTH_PATHS.map(health),
    ...[...paths, ...ACK_PATHS, ...HEALTH_PATHS].map(options),
  ] as unknown as readonly AnyEndpoint[]; // Their needs were checked where they are declared.

const acknowledge = (path: string, refuse: Refusals['of']) =>
  endpoint({
    title: `Ask for acknowledgements (Splunk HEC, ${path})`,
    notes: 'True for every number: an answer is sent when its records are durable.',
    method: 'POST',
    path,
    protocol: 'splunk',
    access: 'MEMBER',
    takesLogs: 'pushed',
    auditedRefusal: 'senders.push',
    params: channelParams,
    rawBody: { types: ['*/*'], sample: '{"acks":[0,1]}' },
    isUnit: false,
    answer: record({ acks: mapOf(boolean)('Whether the records of each request are durable.', { 0: true }) }),
    refusals: { shape: hecError, of: refuse },

    async run(input, { content }: Call) {
      if (!(input[CHANNEL_HEADER] ?? input.channel)) throw new SenderError(missing('channel'), 'no-channel');
      return { acks: Object.fromEntries(idsIn(content.bytes).map((id) => [id, true])) };
    },
  });

function idsIn(body: Buffer): readonly number[] {
  if (body.length > MAX_ACK_BYTES) throw bodyTooLarge(MAX_ACK_BYTES);
  const acks = parsed(body);
  const isList = Array.isArray(acks) && acks.every((id) => Number.isSafeInteger(id));
  if (!isList) throw malformedBody();
  return acks;
}

function parsed(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value !== null && typeof value === 'object' && 'acks' in value ? value.acks : undefined;
  } catch {
    return undefined;
  }
}

const health = (path: string) =>
  endpoint({
    title: `Get health (Splunk HEC, ${path})`,
    notes: '503 with code 18 while the service cannot take logs.',
    method: 'GET',
    path,
    protocol: 'splunk',
    access: 'none',
    params: {},
    answer: healthAnswer,
    refusals: { shape: hecError, of: unhealthy },

    run: async (_input, _needs: object) => ({ text: 'HEC is healthy', code: 17 }),
  });

function unhealthy(error: ApiError): Answer<object> {
  const isBusy = ['busy', 'unavailable'].includes(categoryOf(error));
  const body = isBusy ? { text: 'HEC is unhealthy, queues are full', code: 18 } : { text: error.message, code: 8 };
  return new Answer(body, { status: isBusy ? 503 : error.status, headers: isBusy ? retryHeaders(error) : {} });
}

const options = (path: string) =>
  endpoint({
    title: `Get options (Splunk HEC, ${path})`,
    method: 'OPTIONS',
    path,
    protocol: 'splunk',
    access: 'none',
    params: {},
    answer: string,
    answerType: 'text/plain',
    refusals: { shape: hecError, of: unhealthy },

    run: async (_input, _needs: object) => new Answer<never>('', { headers: { 'content-type': 'text/plain' } }),
  });
