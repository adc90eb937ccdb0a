// Parts of the console that come when they are shown. One whose file cannot be loaded says so in its place, and recovers by
// itself: the frame around it stays.

import { createElement, type FunctionComponent, useEffect, useState } from 'react';
import { onReconnected, reportConnection } from '#console/client/connection.ts';
import { createState } from '#console/client/state.ts';
import { Button } from '#console/components/button.tsx';
import { EmptyState, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { now } from '#console/time/moments.ts';
import { pause } from '#console/time/pause.ts';
import { unsavedHolds } from '#console/unsaved/use-unsaved.ts';
import { type Recovery, recover, takeReload, versionIn } from './recovery.ts';

type Part<P> =
  | { readonly state: 'loading' | 'failed' }
  | { readonly state: 'loaded'; readonly shown: FunctionComponent<P> };

export type LazyPart<P extends object> = FunctionComponent<P> & {
  /** Begins to load it; never rejects. */
  preload(): Promise<void>;
};

/** `lines` of the place that it takes while it is loaded. */
export function lazyPart<N extends string, P extends object>(
  load: () => Promise<Readonly<Record<N, FunctionComponent<P>>>>,
  name: N,
  lines?: number,
): LazyPart<P> {
  const part = createState<Part<P>>({ state: 'loading' });
  let pending: Promise<void> | undefined;
  let failure: unknown;
  const attempt = (): Promise<void> => {
    pending ??= restoreStyles(failure)
      .then(load)
      .then(
        (module) => part.set({ state: 'loaded', shown: module[name] }),
        (error: unknown) => {
          failure = error;
          part.set({ state: 'failed' });
        },
      )
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  const isLoaded = () => part.get().state === 'loaded';
  const preload = async () => {
    if (!isLoaded()) await attempt();
  };
  function Lazy(props: P) {
    const current = part.use();
    useEffect(() => void preload(), []);
    if (current.state === 'loaded') return createElement(current.shown, props);
    if (current.state === 'loading') return <Loading {...(lines === undefined ? {} : { lines })} />;
    return <NotLoaded load={async () => attempt().then(isLoaded)} />;
  }
  return Object.assign(Lazy, { preload });
}

/** A further import does not ask for a style sheet again that has failed. Rejects with the same error if it fails again. */
async function restoreStyles(failure: unknown): Promise<void> {
  const path = /^Unable to preload CSS for (\S+)$/.exec(failure instanceof Error ? failure.message : '')?.[1];
  if (path === undefined) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: path });
  const { promise, resolve, reject } = Promise.withResolvers();
  link.addEventListener('load', resolve);
  link.addEventListener('error', () => {
    link.remove();
    reject(failure);
  });
  document.head.append(link);
  await promise;
}

function NotLoaded({ load }: { load(): Promise<boolean> }) {
  const { shell } = useLabels();
  const [recovery, setRecovery] = useState<Recovery>('waiting');
  // biome-ignore lint/correctness/useExhaustiveDependencies: One recovery for as long as the part is not loaded.
  useEffect(() => {
    const ending = new AbortController();
    void recover({
      load,
      servedVersion,
      runningVersion: versionIn(document.documentElement.outerHTML),
      reconnected: () => reconnected(ending.signal),
      hasUnsaved: unsavedHolds.hasUnsaved.get,
      reload,
      wait: pause,
      report: setRecovery,
      signal: ending.signal,
    });
    return () => ending.abort();
  }, []);
  const loadAgain = async () => {
    if (await unsavedHolds.mayLeave()) location.reload();
  };
  return (
    <EmptyState icon="refresh" title={shell.notLoaded[recovery]} text={shell.notLoadedText[recovery]}>
      {recovery !== 'waiting' && (
        <Button kind="primary" onClick={() => void loadAgain()}>
          {shell.reload}
        </Button>
      )}
    </EmptyState>
  );
}

async function servedVersion(): Promise<string> {
  try {
    const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return versionIn(await answer.text());
  } catch (error) {
    reportConnection('offline');
    throw error;
  }
}

function reload(): boolean {
  const isDue = takeReload(sessionStorage, now());
  if (isDue) location.reload();
  return isDue;
}

function reconnected(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onReconnected(resolve);
  signal.addEventListener('abort', () => {
    stop();
    resolve();
  });
  return promise;
}
