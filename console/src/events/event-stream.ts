// New events as they are raised. A browser has six connections to the service over all its tabs, so that one tab keeps the
// stream, the one with the lock, and hands its events on to the others. The next tab takes over when that one is closed.

import { useEffect, useRef } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { useAccount } from '#console/client/session.ts';

export type NewEvent = AnswerFor<'GET /api/core/events'>['events'][number];
type Listener = (event: NewEvent) => void;

const PATH = '/api/core/events/stream';
const RETRY_MS = 5000;

interface SharedStream {
  subscribe(listener: Listener): () => void;
}

const streams = new Map<string, SharedStream>();

/** Calls `listener` for each new event that the account may see, in every tab. */
export function useNewEvents(listener: Listener): void {
  const { guid } = useAccount();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => streamOf(guid).subscribe((event) => latest.current(event)), [guid]);
}

/** One stream per account: the tabs of a browser may change the account one after the other. */
function streamOf(account: string): SharedStream {
  const known = streams.get(account);
  if (known) return known;
  const made = createStream(`vigil-events-${account}`);
  streams.set(account, made);
  return made;
}

/** One for each name in a tab: tabs with the same name share the connection. */
export function createStream(name: string): SharedStream {
  const listeners = new Set<Listener>();
  let stop: (() => void) | undefined;
  const tell = (event: NewEvent) => {
    for (const listener of listeners) listener(event);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      stop ??= join(name, tell);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

/** Follows the channel, and keeps the stream itself once it has the lock. Returns a function that ends both. */
function join(name: string, tell: Listener): () => void {
  const channel = new BroadcastChannel(name);
  const ending = new AbortController();
  channel.onmessage = ({ data }: MessageEvent<NewEvent>) => tell(data);
  const keep = () =>
    keepStream(ending.signal, (event) => {
      channel.postMessage(event);
      tell(event);
    });
  // Without a secure context there are no locks: each tab then keeps a stream of its own.
  if (navigator.locks) navigator.locks.request(name, { signal: ending.signal }, keep).catch(() => undefined);
  else void keep();
  return () => {
    ending.abort();
    channel.close();
  };
}

/** Resolves when it is to end. The browser connects again by itself, with the id of the last event. */
function keepStream(signal: AbortSignal, tell: Listener): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let source: EventSource | undefined;
  const open = () => {
    if (signal.aborted) return;
    source = new EventSource(PATH);
    source.addEventListener('event', ({ data }: MessageEvent<string>) => tell(JSON.parse(data)));
    source.onerror = () => {
      // A refusal is final for the browser; the service may only be restarting.
      if (source?.readyState === EventSource.CLOSED) setTimeout(open, RETRY_MS);
    };
  };
  open();
  signal.addEventListener('abort', () => {
    source?.close();
    resolve();
  });
  return promise;
}
