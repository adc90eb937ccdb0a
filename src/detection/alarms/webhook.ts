// Calls a webhook. The address of its host is checked by the same DNS lookup that the connection uses, which prevents DNS
// rebinding. Redirects are not followed.

import { createHmac } from 'node:crypto';
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isTlsFailure } from '#connections/web/http-reachable.ts';
import { isRefusedAddress } from '#kernel/net/special-addresses.ts';
import { mayBeCalled, type Targets } from '#kernel/net/web-target.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import { http, https } from '#runtime/http-clients.ts';

const NOT_ALLOWED = 'target is not allowed';
const TIMEOUT = Temporal.Duration.from({ seconds: 10 });

interface Message {
  readonly url: string;
  readonly body: string;
  readonly secret: Buffer;
}

interface CallOptions {
  readonly targets: Targets;
  readonly clock: Clock;
  /** Aborts the call. */
  readonly until: AbortSignal;
}

/** `refused` is any status but 2xx. */
export const WEBHOOK_ERRORS = ['not-allowed', 'unreachable', 'tls', 'late', 'refused'] as const;

/** What became of one call. */
export interface WebhookAnswer {
  /** Null without an answer. */
  readonly status: number | null;
  /** Absent for a delivered message. */
  readonly failure?: WebhookFailure;
}

interface WebhookFailure {
  readonly error: (typeof WEBHOOK_ERRORS)[number];
  /** For the service log. */
  readonly reason: string;
}

type Resolver = (
  host: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export async function postWebhook(message: Message, { targets, clock, until }: CallOptions): Promise<WebhookAnswer> {
  const url = URL.parse(message.url);
  if (!url || !mayBeCalled(url, targets)) return failed('not-allowed', NOT_ALLOWED);
  const done = new AbortController();
  const signal = AbortSignal.any([until, done.signal]);
  try {
    return await withTimeout(clock, TIMEOUT, post(url, message, { targets, signal }), LATE);
  } finally {
    done.abort();
  }
}

const failed = (error: WebhookFailure['error'], reason: string, status: number | null = null): WebhookAnswer => ({
  status,
  failure: { error, reason },
});

const LATE = failed('late', 'no answer in time');

const signatureOf = (body: string, secret: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function post(url: URL, { body, secret }: Message, { targets, signal }: { targets: Targets; signal: AbortSignal }) {
  const { promise, resolve } = Promise.withResolvers<WebhookAnswer>();
  const { request } = url.protocol === 'https:' ? https : http;
  const options = {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-vigil-signature': signatureOf(body, secret),
    },
    ...(targets === 'any' ? {} : { lookup: remoteOnly(lookup) }),
  } as const;
  const call = request(url, options, (answer) => {
    const status = answer.statusCode ?? 0;
    resolve(status >= 200 && status < 300 ? { status } : failed('refused', `status ${status}`, status));
    // The response body is ignored.
    call.destroy();
  });
  call.on('error', (error) => {
    const reason = 'code' in error ? String(error.code) : error.message;
    resolve(failed(reason === NOT_ALLOWED ? 'not-allowed' : isTlsFailure(reason) ? 'tls' : 'unreachable', reason));
  });
  call.end(body);
  return promise;
}

/** Refuses a host if any of its addresses is not allowed. */
export const remoteOnly =
  (resolve: Resolver): LookupFunction =>
  (host, options, found) =>
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      if (addresses.some(({ address }) => isRefusedAddress(address))) {
        return found(Object.assign(new Error(NOT_ALLOWED), { code: NOT_ALLOWED }), []);
      }
      const [first] = addresses;
      if (options.all || !first) return found(null, addresses);
      return found(null, first.address, first.family);
    });
