// When a page whose file cannot be loaded is loaded again.

import { describe, expect, it } from 'vitest';
import { type RecoveryDeps, recover, takeReload, versionIn } from './recovery.ts';

interface Script {
  /** Outcomes of loading the part, in order. */
  readonly loads: readonly boolean[];
  /** Versions that the service serves, in order; undefined where it does not answer. */
  readonly served: readonly (string | undefined)[];
  readonly hasUnsaved?: boolean;
  readonly mayReload?: boolean;
}

async function recorded({ loads, served, hasUnsaved = false, mayReload = true }: Script): Promise<readonly string[]> {
  const steps: string[] = [];
  const loading = [...loads];
  const serving = [...served];
  const ending = new AbortController();
  const deps: RecoveryDeps = {
    async load() {
      const isLoaded = loading.shift() ?? false;
      steps.push(isLoaded ? 'loaded' : 'not loaded');
      return isLoaded;
    },
    async servedVersion() {
      const version = serving.shift();
      if (serving.length === 0 && loading.length === 0) ending.abort();
      if (version === undefined) throw new Error('no answer');
      return version;
    },
    runningVersion: 'a',
    reconnected: async () => void steps.push('reconnected'),
    hasUnsaved: () => hasUnsaved,
    reload() {
      steps.push(mayReload ? 'reload' : 'no reload');
      return mayReload;
    },
    wait: async (milliseconds) => void steps.push(`wait ${milliseconds}`),
    report: (recovery) => void steps.push(recovery),
    signal: ending.signal,
  };
  await recover(deps);
  return steps;
}

describe('A part that could not be loaded', () => {
  it('is loaded once the service answers again', async () => {
    expect(await recorded({ served: [undefined, undefined, 'a'], loads: [true] })).toEqual([
      ...['waiting', 'reconnected', 'waiting', 'reconnected', 'loaded'],
    ]);
  });

  it('is loaded with the newer console after an upgrade', async () => {
    expect(await recorded({ served: ['b'], loads: [false, true] })).toEqual(['not loaded', 'reload']);
  });

  it('leaves unsaved input: the reader decides when the newer console is loaded', async () => {
    expect(await recorded({ served: ['b', 'b'], loads: [false, true], hasUnsaved: true })).toEqual([
      ...['not loaded', 'newer', 'wait 2000', 'loaded'],
    ]);
  });

  it('is tried again where a reload did not help', async () => {
    expect(await recorded({ served: ['a', 'a', 'a'], loads: [false, false, true], mayReload: false })).toEqual([
      ...['not loaded', 'no reload', 'missing', 'wait 2000'],
      ...['not loaded', 'no reload', 'missing', 'wait 4000', 'loaded'],
    ]);
  });
});

it('The console is loaded again by itself once a minute at most', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };
  expect([100_000, 100_001, 159_999, 160_000].map((now) => takeReload(storage, now))).toEqual([
    ...[true, false, false, true],
  ]);
});

it('The version is the first script', () => {
  expect(versionIn('<script type="module" crossorigin src="/assets/index-abc.js"></script>')).toBe(
    '/assets/index-abc.js',
  );
  expect(versionIn('<p>proxy</p>')).toBe('');
});
