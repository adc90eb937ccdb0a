// Listening to tables: what a reader is told that cannot keep up, and that nothing is kept for nobody.

import { describe, expect, it } from 'vitest';
import { queryOn } from '#test/support/engine-query.ts';
import { makeEngineHome, NOW, record } from '#test/support/log-engine.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Tap } from './tap.ts';

const LONG = JSON.stringify({ text: 'x'.repeat(2 ** 20) });

describe('A window over a table', () => {
  it('fails when more waits than may, and those who write never wait for it', async () => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    let blocks = 0;
    const query = queryOn(home.engine, [spec], 'table window=1h web', {
      awaited: new Set(['web']),
      // The first rows are there; whoever reads them takes long.
      seen: () => {
        blocks += 1;
      },
      slowly: async () => {
        for (let n = 0; n < 70; n += 1) await home.engine.append(spec, [record(LONG)]);
      },
      begun: async () => {
        await home.engine.append(spec, [record('{"n":1}')]);
      },
    });
    await expect(query).rejects.toThrow('rows arrive faster than the query takes them');
    expect(blocks).toBe(1);
    const { rows } = await queryOn(home.engine, [spec], 'table web | stats count');
    expect(rows).toEqual([[71]]);
  });

  it('lasts for as long as it says, beyond what a timer can count', async () => {
    const clock = new ManualClock(NOW);
    const tap = new Tap([]);
    let isOver = false;
    const { signal } = new AbortController();
    const arrivals = Array.fromAsync(tap.until(clock.now().add({ hours: 24 * 40 }), clock, signal)).then((all) => {
      isOver = true;
      return all;
    });
    for (let day = 0; day < 40; day += 1) {
      await new Promise((resolve) => void setImmediate(resolve));
      expect(isOver).toBe(false);
      clock.advance({ hours: 24 });
    }
    expect(await arrivals).toEqual([]);
  });

  it('holds nothing of what is stored', async () => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
    await home.engine.append(spec, [record('{"n":1}')]);
    const { rows } = await queryOn(home.engine, [spec], 'table window=1m web | fields n', {
      awaited: new Set(['web']),
      begun: async () => {
        await home.engine.append(spec, [record('{"n":2}')]);
        // Sealed and merged meanwhile: what is awaited has nothing to do with it.
        await home.engine.removeDays(spec, '2000-01-01', '2100-01-01');
        home.clock.advance({ minutes: 1 });
      },
    });
    expect(rows).toEqual([[2]]);
    expect(home.failures).toEqual([]);
  });
});
