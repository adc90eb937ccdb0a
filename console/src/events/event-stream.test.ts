// New events in all tabs of a browser, over one connection.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStream, type NewEvent } from './event-stream.ts';

/** The far side: connections that the test sends events over. */
class StandInSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: StandInSource[] = [];
  readyState = 1;
  onerror: () => void = () => undefined;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    StandInSource.opened.push(this);
  }

  raise(guid: string): void {
    this.dispatchEvent(new MessageEvent('event', { data: JSON.stringify({ guid }) }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.onerror();
  }

  close(): void {
    this.readyState = StandInSource.CLOSED;
  }
}

const { opened } = StandInSource;
const stops: (() => void)[] = [];
let name = 0;

/** A tab of the same account; what it has heard grows. */
function openTab() {
  const heard: string[] = [];
  const stop = createStream(`events-test-${name}`).subscribe(({ guid }: NewEvent) => void heard.push(guid));
  stops.push(stop);
  return { heard, stop };
}

beforeEach(() => {
  name += 1;
  opened.length = 0;
  vi.stubGlobal('EventSource', StandInSource);
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('New events', () => {
  it('come over one connection to every tab', async () => {
    const first = openTab();
    const second = openTab();
    await expect.poll(() => opened.length).toBe(1);
    opened[0]?.raise('e1');
    expect(opened[0]?.url).toBe('/api/core/events/stream');
    expect(first.heard).toEqual(['e1']);
    await expect.poll(() => second.heard).toEqual(['e1']);
    expect(opened).toHaveLength(1);
  });

  it('go on in the other tabs when the one with the connection is closed', async () => {
    const first = openTab();
    const second = openTab();
    await expect.poll(() => opened.length).toBe(1);
    first.stop();
    await expect.poll(() => opened.length).toBe(2);
    opened[1]?.raise('e2');
    expect(second.heard).toEqual(['e2']);
    expect(opened[0]?.readyState).toBe(StandInSource.CLOSED);
  });

  it('reach all that listen in a tab, and the connection ends with the last of them', async () => {
    const stream = createStream(`events-test-${name}`);
    const heard: string[] = [];
    const [one, other] = ['a', 'b'].map((who) => stream.subscribe(({ guid }) => void heard.push(`${who} ${guid}`)));
    await expect.poll(() => opened.length).toBe(1);
    one?.();
    opened[0]?.raise('e3');
    expect(heard).toEqual(['b e3']);
    other?.();
    expect(opened[0]?.readyState).toBe(StandInSource.CLOSED);
    // A later listener begins anew.
    stops.push(stream.subscribe(() => undefined));
    await expect.poll(() => opened.length).toBe(2);
  });

  it('come over a connection of each tab where the browser has no locks', async () => {
    vi.stubGlobal('navigator', {});
    openTab();
    openTab();
    expect(opened).toHaveLength(2);
  });

  it('come again after the service has refused the connection, once it lets it in', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const tab = openTab();
    await expect.poll(() => opened.length).toBe(1);
    // The browser connects again by itself.
    opened[0]?.fail(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(opened).toHaveLength(1);
    opened[0]?.fail(StandInSource.CLOSED);
    await vi.advanceTimersByTimeAsync(5000);
    expect(opened).toHaveLength(2);
    // Not after the tab has been closed.
    opened[1]?.fail(StandInSource.CLOSED);
    tab.stop();
    await vi.advanceTimersByTimeAsync(5000);
    expect(opened).toHaveLength(2);
  });
});
