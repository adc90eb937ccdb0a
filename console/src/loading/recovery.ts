// How a part of the console recovers whose file could not be loaded: the network was away, or the service has been upgraded and
// has no files of the older version any more.

export type Recovery = 'waiting' | 'newer' | 'missing';

export interface RecoveryDeps {
  /** Resolves to whether the part has been loaded. */
  load(): Promise<boolean>;
  /** Resolves to the version that the service serves; rejects where it does not answer. */
  servedVersion(): Promise<string>;
  readonly runningVersion: string;
  /** Resolves when the service answers. */
  reconnected(): Promise<void>;
  hasUnsaved(): boolean;
  /** Loads the whole console again, unless that was done a moment ago; returns whether it does. */
  reload(): boolean;
  wait(milliseconds: number): Promise<void>;
  /** Tells the reader how far it is. */
  report(recovery: Recovery): void;
  readonly signal: AbortSignal;
}

const MIN_WAIT_MS = 2000;
const MAX_WAIT_MS = 30_000;

/** Resolves when the part is loaded, the console loads again, or the signal aborts. Unsaved input is never reloaded away. */
export async function recover(deps: RecoveryDeps): Promise<void> {
  for (let wait = MIN_WAIT_MS; !deps.signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    const served = await deps.servedVersion().catch(() => undefined);
    if (served === undefined) {
      deps.report('waiting');
      await deps.reconnected();
      continue;
    }
    if (await deps.load()) return;
    if (deps.signal.aborted) return;
    if (!deps.hasUnsaved() && deps.reload()) return;
    deps.report(served === deps.runningVersion ? 'missing' : 'newer');
    await deps.wait(wait);
  }
}

const RELOADED = 'vigil.reloadedAt';
/** A file that is missing for longer does not keep the console loading. */
const RELOAD_PAUSE_MS = 60_000;

/** Whether a reload at `now` comes long enough after the last one, which it then is. */
export function takeReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const before = Number(storage.getItem(RELOADED) ?? 0);
  if (now - before < RELOAD_PAUSE_MS) return false;
  storage.setItem(RELOADED, String(now));
  return true;
}

/** The version of a console: the name of its first script, which has a digest of its content. */
export const versionIn = (html: string): string => /<script[^>]*\ssrc="([^"]+)"/.exec(html)?.[1] ?? '';
