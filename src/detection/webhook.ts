// Calls a webhook. What its name leads to is looked at when it is called, by the very look-up that the connection is made
// with, so that no name can point elsewhere in between. Redirections are not followed.

import { createHmac } from 'node:crypto';
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { type Clock, withTimeout } from '#kernel/clock.ts';
import { isRefusedAddress, mayBeCalled, type Targets } from '#kernel/web-target.ts';

const NOT_ALLOWED = 'target is not allowed';
const TIMEOUT = Temporal.Duration.from({ seconds: 10 });

export interface Message {
  readonly url: string;
  readonly body: string;
  readonly secret: Buffer;
}

export interface Calling {
  readonly targets: Targets;
  readonly clock: Clock;
  /** Breaks it off. */
  readonly until: AbortSignal;
}

type Resolver = (
  host: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Undefined when the message was taken; otherwise why not. */
export async function tell(message: Message, { targets, clock, until }: Calling): Promise<string | undefined> {
  const url = URL.parse(message.url);
  if (!url || !mayBeCalled(url, targets)) return NOT_ALLOWED;
  const done = new AbortController();
  const signal = AbortSignal.any([until, done.signal]);
  try {
    return await withTimeout(clock, TIMEOUT, posted(url, message, { targets, signal }), 'no answer in time');
  } finally {
    done.abort();
  }
}

export const signatureOf = (body: string, secret: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function posted(url: URL, { body, secret }: Message, { targets, signal }: { targets: Targets; signal: AbortSignal }) {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
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
    resolve(status >= 200 && status < 300 ? undefined : `status ${status}`);
    // What it has to say beyond that is of no use.
    call.destroy();
  });
  call.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  call.end(body);
  return promise;
}

/** Refuses a name as soon as one of its addresses may not be called. */
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
