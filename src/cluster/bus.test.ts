// Messages between nodes: how they are packed, and what nodes of a version before the bus hear and say.

import { describe, expect, it } from 'vitest';
import { CHANGES_PAYLOAD, CHANNEL, type Notice, NotifyBus } from './bus.ts';
import { TOLD_ON_BUS } from './old-channels.ts';

/** Buses that share a channel, with all that was sent on it. */
function busesOf(count: number) {
  const sent: Notice[] = [];
  const buses: NotifyBus[] = [];
  const notify = async (notices: readonly Notice[]) => {
    sent.push(...notices);
    for (const { channel, payload } of notices) for (const bus of buses) bus.received(channel, payload);
  };
  for (let at = 0; at < count; at += 1) buses.push(new NotifyBus(notify));
  return { sent, buses: buses as [NotifyBus, NotifyBus] };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('The bus', () => {
  it('takes each message once to every other process, with the process that has sent it', async () => {
    const { buses } = busesOf(3);
    const heard: unknown[] = [];
    for (const [at, bus] of buses.entries()) {
      bus.on('requests', (message, from) => heard.push([at, message, from.length > 20]));
    }
    buses[0].publish('requests', { key: 'kim', value: 3 });
    await settled();
    expect(heard).toEqual([
      [1, { key: 'kim', value: 3 }, true],
      [2, { key: 'kim', value: 3 }, true],
    ]);
  });

  it('keeps every notice below 8,000 bytes, whatever is published at once', async () => {
    const { sent, buses } = busesOf(2);
    const heard: number[] = [];
    buses[1].on('uses', ({ value }) => void heard.push(value));
    const stored: unknown[] = [];
    buses[1].on('stored-records', (records) => void stored.push(records));
    const node = 'n'.repeat(60);
    for (let value = 0; value < 3000; value += 1) buses[0].publish('uses', { key: `이름 ${value}`, value });
    for (let upload = 0; upload < 500; upload += 1) buses[0].publish('stored-records', { tableId: 7, node, upload });
    await settled();
    expect(Math.max(...sent.map(({ payload }) => Buffer.byteLength(payload)))).toBeLessThan(8000);
    expect(heard).toEqual(Array.from({ length: 3000 }, (_, value) => value));
    expect(stored).toHaveLength(500);
  });

  it('tells everybody of a commit, the process that has made it, too', () => {
    const { buses } = busesOf(2);
    let looks = 0;
    for (const bus of buses) {
      bus.on('changes', () => {
        looks += 1;
      });
      bus.received(CHANNEL, CHANGES_PAYLOAD);
      bus.received('vigil_changes', TOLD_ON_BUS);
    }
    expect(looks).toBe(2);
  });
});

describe('A node of a version before the bus', () => {
  it('is told on its channels, in its words', async () => {
    const { sent, buses } = busesOf(1);
    const [bus] = buses;
    bus.publish('refused-keys', { key: '10.0.0.9', value: 2 });
    bus.publish('open-window', { tableId: 7, isLost: true });
    bus.publish('stored-records', { tableId: 7, node: 'n1', firstId: 10, rows: 3 });
    bus.publish('stored-records', { tableId: 7, node: 'n1', upload: 4 });
    await settled();
    const old = sent.filter(({ channel }) => channel !== CHANNEL);
    const texts = old.map(({ channel, payload }) => `${channel}: ${payload.replaceAll(/bus-[0-9a-f-]+/g, 'P')}`);
    expect(texts).toEqual([
      'vigil_numbers: P\nrefused-keys\n2 10.0.0.9',
      'vigil_arrivals: again P 7',
      'vigil_arrivals: came P 7 n1 rows 10 3\ncame P 7 n1 upload 4',
    ]);
  });

  it('is heard on its channels', () => {
    const { buses } = busesOf(1);
    const [bus] = buses;
    const heard: unknown[] = [];
    for (const topic of ['changes', 'requests', 'uses', 'open-window', 'stored-records'] as const) {
      bus.on(topic, (message, from) => void heard.push([topic, message, from]));
    }
    bus.received('vigil_changes', '');
    bus.received('vigil_numbers', 'old\nrequests\n3 kim\n1 lee');
    bus.received('vigil_numbers', 'old\nof-a-newer-version\n3 kim');
    bus.received('vigil_arrivals', 'ask old 7\ncame old 7 n1 rows 10 3\ncame old 7 n1 upload 4');
    expect(heard).toEqual([
      ['changes', null, ''],
      ['requests', { key: 'kim', value: 3 }, 'old'],
      ['requests', { key: 'lee', value: 1 }, 'old'],
      ['open-window', { tableId: 7, isLost: false }, 'old'],
      ['stored-records', { tableId: 7, node: 'n1', firstId: 10, rows: 3 }, 'old'],
      ['stored-records', { tableId: 7, node: 'n1', upload: 4 }, 'old'],
    ]);
  });
});
