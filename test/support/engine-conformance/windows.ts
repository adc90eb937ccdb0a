// Windows: a query over what arrives in a table from now on.

import { expect } from 'vitest';
import { queryOn } from '#test/support/engine-query.ts';
import { record } from './samples.ts';
import { type EngineMaker, onPlainTable } from './suite.ts';

const LONG = JSON.stringify({ text: 'x'.repeat(2 ** 20) });
const awaited = new Set(['web']);

export function windowPromises(maker: EngineMaker): void {
  onPlainTable(maker, 'windows', (subject) => {
    const promise = (sentence: string, test: () => Promise<void>) => subject.promise('windows', sentence, test);
    const append = (text: string) => subject.home.engine.append(subject.table, [record(text)]);
    const query = (text: string, options: Parameters<typeof queryOn>[3]) =>
      queryOn(subject.home.engine, [subject.table], text, { awaited, ...options });

    promise('give records that arrive, and nothing of what is stored', async () => {
      const { home, table } = subject;
      await append('{"n":1}');
      const { rows } = await query('table window=1m web | fields n', {
        begun: async () => {
          await append('{"n":2}');
          // Sealed and removed meanwhile: a window does not depend on stored records.
          await home.engine.removeDays(table, '2000-01-01', '2100-01-01');
          home.clock.advance({ minutes: 1 });
        },
      });
      expect(rows).toEqual([[2]]);
    });

    promise('give staged records when they are committed, and discarded ones never', async () => {
      const { home, table } = subject;
      const { rows, pushes } = await query('table window=1m web | fields n', {
        begun: async () => {
          const kept = await home.engine.stage(table);
          const discarded = await home.engine.stage(table);
          await kept.add([record('{"n":1}'), record('{"n":"two"}')]);
          await discarded.add([record('{"n":3}')]);
          await append('{"n":4}');
          await kept.commit(async () => {});
          await discarded.discard();
          home.clock.advance({ minutes: 1 });
        },
      });
      expect(rows).toEqual([[4], [1], ['two']]);
      expect(pushes.map(Number)).toEqual([3, 3]);
    });

    promise('fail when more records wait than may, and appends never wait for them', async () => {
      let blocks = 0;
      const running = query('table window=1h web', {
        seen: () => {
          blocks += 1;
        },
        slowly: async () => {
          for (let n = 0; n < 70; n += 1) await append(LONG);
        },
        begun: async () => {
          await append('{"n":1}');
        },
      });
      await expect(running).rejects.toThrow('rows arrive faster than the query takes them');
      expect(blocks).toBe(1);
      expect(await subject.home.count(subject.table, {})).toBe(71);
    });
  });
}
