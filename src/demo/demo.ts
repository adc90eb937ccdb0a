// The demo: a shop with a day of logs, attacks in them, rules that have detected these, and a feed of more logs. It is created
// only through operations of the service.

import type { App } from '#app/app.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { Config } from '#settings/index.ts';
import { connectTo } from './connection.ts';
import { findFeedKey, markBegun, markMade } from './demo-folder.ts';
import { feed } from './feed.ts';
import { type DemoOptions, makeDemo } from './make.ts';
import type { Keys } from './objects/people.ts';

export interface Demo {
  /** Resolves when the demo is complete, to the keys of its accounts if it was created now. */
  begin(app: Pick<App, 'url'>, how: StartOptions): Promise<Keys | undefined>;
  /** Resolves when the feed has stopped. */
  end(): Promise<void>;
}

interface StartOptions extends Pick<DemoOptions, 'signal' | 'onProgress'> {
  /** The key of `master`, to create a demo with. */
  readonly masterKey: string;
  /** Reports why the feed has stopped sending to a logger. */
  failed(reason: string): void;
}

/** Call before the service starts. Throws a UsageError for a folder that is neither empty nor of a demo. */
export async function findDemo(config: Config): Promise<Demo> {
  const found = await findFeedKey(config);
  const ending = new AbortController();
  let feeding: Promise<void> | undefined;
  return {
    async begin({ url }, { masterKey, signal, onProgress, failed }) {
      const connection = connectTo(url);
      const keys = found === undefined ? await make(config, { connection, masterKey, signal, onProgress }) : undefined;
      const feedKey = keys?.feed ?? found ?? '';
      feeding = feed(connection.as(feedKey), ending.signal, failed)
        .catch((error: unknown) => failed(String(error)))
        .finally(() => connection[Symbol.dispose]());
      return keys;
    },
    async end() {
      ending.abort();
      await feeding;
    },
  };
}

async function make(config: Config, options: Omit<DemoOptions, 'now' | 'zone'>): Promise<Keys> {
  markBegun(config);
  const keys = await makeDemo({ ...options, now: systemClock.now(), zone: config['time-zone'] });
  markMade(config, keys.feed);
  return keys;
}
