// Whether the service answers. While it does not, its health is asked for until it does again.

import { createState } from './state.ts';

export type Connection = 'online' | 'offline';

const RETRY_MS = [1000, 2000, 4000, 8000];

const state = createState<Connection>('online');
export const useConnection = state.use;
/** For what happens outside of components. */
export const isOffline = (): boolean => state.get() === 'offline';
/** Calls the listener when the service answers again. */
export const onReconnected = (listener: () => void): (() => void) =>
  state.subscribe(() => {
    if (state.get() === 'online') listener();
  });

let losses = 0;

/** Called with the outcome of every request. */
export function reportConnection(connection: Connection): void {
  if (connection === state.get()) return;
  if (connection === 'offline') losses += 1;
  state.set(connection);
  if (connection === 'offline') probe(0);
}

/** For a request that begins now. An answer that was on its way when the connection was lost does not report it as online. */
export function beginRequest(): { report(connection: Connection): void } {
  const before = losses;
  return {
    report(connection) {
      if (connection === 'offline' || losses === before) reportConnection(connection);
    },
  };
}

function probe(attempt: number): void {
  const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0;
  setTimeout(async () => {
    if (state.get() === 'online') return;
    const isHealthy = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) reportConnection('online');
    else probe(attempt + 1);
  }, wait);
}
