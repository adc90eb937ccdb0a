// A world to look at: a shop with a day of logs, attacks in them, rules that have found these, and more arriving. It is made
// through the operations of the service and nothing else.

import type { App } from '#app/app.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Config } from '#settings/index.ts';
import { connectTo } from './connection.ts';
import { feed } from './feed.ts';
import { type Making, makeDemo } from './make.ts';
import type { Keys } from './people.ts';
import { findFeedKey, markBegun, markMade } from './place.ts';

export interface Demo {
  /** Resolves when there is something to see, with the keys of the accounts where they have just been made. */
  begin(app: Pick<App, 'url'>, how: Beginning): Promise<Keys | undefined>;
  /** Resolves when nothing more arrives. */
  end(): Promise<void>;
}

interface Beginning extends Pick<Making, 'signal' | 'tell'> {
  /** Of `master`, for a demo that has yet to be made. */
  readonly masterKey: string;
  /** Told why logs do not arrive any more. */
  failed(reason: string): void;
}

/** To be asked before the service starts: throws a Mistake where neither a demo nor nothing is. */
export async function findDemo(config: Config): Promise<Demo> {
  const found = await findFeedKey(config);
  const ending = new AbortController();
  let feeding: Promise<void> | undefined;
  return {
    async begin({ url }, { masterKey, signal, tell, failed }) {
      const connection = connectTo(url);
      const keys = found === undefined ? await make(config, { connection, masterKey, signal, tell }) : undefined;
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

async function make(config: Config, making: Omit<Making, 'now' | 'zone'>): Promise<Keys> {
  markBegun(config);
  const keys = await makeDemo({ ...making, now: systemClock.now(), zone: config['time-zone'] });
  markMade(config, keys.feed);
  return keys;
}
