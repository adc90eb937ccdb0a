// What goes on while the service is killed. An actor works until the service is gone, and checks later on that what it was
// told still holds.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { type Caller, DAY_MS, done, Ledger, pushTo, type Sequence, settle, take, upTo } from './ledger.ts';

const TABLES = '/api/core/tables';
const RECENTLY = 1_700_000_000_000;

export interface Actor {
  /** Once, before its first work. */
  prepare(service: Caller): Promise<void>;
  /** Ends with the service, in an error. */
  work(service: Caller, until: AbortSignal): Promise<void>;
  /** Records that were acknowledged and not doubted since. */
  acknowledged(): number;
  /** How many records were found. */
  check(service: Caller): Promise<number>;
}

/** Fills a table over three days, so that it is sealed and merged all the time. */
export function filling(table: string, storage: Readonly<Record<string, string>>, sequence: Sequence): Actor {
  const ledger = new Ledger();
  let logger = '';
  return {
    async prepare(service) {
      logger = await createLogger(service, { table, storage });
    },
    async work(service, until) {
      while (!until.aborted) {
        const time = RECENTLY + upTo(3) * DAY_MS;
        await pushTo(ledger, { service, logger }, { numbers: take(sequence, upTo(30)), time });
      }
    },
    acknowledged: () => ledger.size,
    check: (service) => settle(service, table, ledger),
  };
}

/** Removes days of a table that is being filled: an acknowledged removal holds, one that was cut off is whole or nothing. */
export function partitions(table: string, storage: Readonly<Record<string, string>>, sequence: Sequence): Actor {
  const ledger = new Ledger();
  let logger = '';
  let turn = 0;
  return {
    async prepare(service) {
      logger = await createLogger(service, { table, storage });
    },
    async work(service, until) {
      while (!until.aborted) {
        turn += 1;
        // The day between two that stay, which are filled to its very edges.
        const start = RECENTLY - (RECENTLY % DAY_MS) + 3 * turn * DAY_MS;
        for (const time of [start - 1000, start + DAY_MS]) {
          await pushTo(ledger, { service, logger }, { numbers: take(sequence, upTo(20)), time });
        }
        const doomed = take(sequence, upTo(80));
        await pushInParts(ledger, { service, logger }, { numbers: doomed, time: start });
        const day = new Date(start).toISOString().slice(0, 10);
        ledger.doubt(doomed);
        await done(service, 'DELETE', `${TABLES}/${table}/partitions`, { start: day, end: day });
        ledger.removed();
      }
    },
    acknowledged: () => ledger.size,
    check: (service) => settle(service, table, ledger),
  };
}

/** Lets retention take old days: each goes as a whole, stays gone, and nothing else goes. */
export function retention(table: string, storage: Readonly<Record<string, string>>, sequence: Sequence): Actor {
  const ledger = new Ledger();
  let logger = '';
  /** The records of each old day there ever was. */
  const old: number[][] = [];
  const retain = (service: Caller, period: string) => done(service, 'PUT', `${TABLES}/${table}/retention`, { period });
  return {
    async prepare(service) {
      logger = await createLogger(service, { table, storage });
    },
    async work(service, until) {
      while (!until.aborted) {
        const now = Date.now();
        const fresh = { numbers: take(sequence, upTo(20)), time: now - 1000 };
        await pushTo(ledger, { service, logger }, fresh);
        for (let days = upTo(3); days > 0; days -= 1) {
          const numbers = take(sequence, upTo(80));
          old.push(numbers);
          await pushInParts(ledger, { service, logger }, { numbers, time: now - (10 + old.length) * DAY_MS });
        }
        for (const day of old) ledger.doubt(day);
        await retain(service, '3');
        await sleep(Math.random() * 1500);
        await retain(service, '0');
        await settle(service, table, ledger);
      }
    },
    acknowledged: () => ledger.size,
    async check(service) {
      await retain(service, '0');
      return await settle(service, table, ledger);
    },
  };
}

/** A table that comes and goes under one name: a dropped one never shows again, one that stays is whole. */
export function comingAndGoing(table: string, sequence: Sequence): Actor {
  let model = '';
  let logger: string | undefined;
  let ledger = new Ledger();
  let state: 'absent' | 'unknown' | 'present' = 'absent';
  const drop = async (service: Caller) => {
    if (logger) await done(service, 'DELETE', '/api/core/loggers', { guids: logger });
    await done(service, 'DELETE', `${TABLES}/${table}`);
  };
  return {
    async prepare(service) {
      const form = { name: 'comes and goes', logger_factory_name: 'http', parser_code: 'json' };
      model = (await done(service, 'POST', '/api/core/logger-models', form)).guid;
    },
    async work(service, until) {
      while (!until.aborted) {
        state = 'unknown';
        ledger = new Ledger();
        await done(service, 'POST', TABLES, { table, layout: Math.random() < 0.5 ? 'row' : 'columnar' });
        const fields = { name: table, model_guid: model, table_name: table, enabled: 'true' };
        logger = String((await done(service, 'POST', '/api/core/loggers', fields)).guid);
        state = 'present';
        for (let batches = upTo(8); batches > 0; batches -= 1) {
          const time = RECENTLY + upTo(2) * DAY_MS;
          await pushTo(ledger, { service, logger }, { numbers: take(sequence, upTo(30)), time });
        }
        await sleep(Math.random() * 700);
        state = 'unknown';
        if (Math.random() < 0.5) await drop(service);
        else await done(service, 'DELETE', '/api/core/loggers', { guids: logger, drop_table: 'true' });
        logger = undefined;
        state = 'absent';
      }
    },
    acknowledged: () => (state === 'present' ? ledger.size : 0),
    async check(service) {
      const { json } = await service.call('GET', `${TABLES}/${table}`);
      if (state === 'absent') expect(json.table, 'a dropped table is back').toBeNull();
      if (state === 'present') expect(json.table, 'a table is gone').not.toBeNull();
      if (json.table === null) return 0;
      const found = await settle(service, table, ledger);
      const { loggers } = (await service.call('GET', '/api/core/loggers')).json;
      logger = loggers.find(({ name }: { name: string }) => name === table)?.guid;
      await drop(service);
      [logger, state] = [undefined, 'absent'];
      await expect(rowsOf(service, `table ${table}`)).rejects.toThrow('there is no table');
      return found;
    },
  };
}

/** In several small batches, so that a day lies in segments, in the journal, or in both. */
async function pushInParts(
  ledger: Ledger,
  target: { service: Caller; logger: string },
  { numbers, time }: { numbers: readonly number[]; time: number },
): Promise<void> {
  for (let at = 0; at < numbers.length; at += 20) {
    await pushTo(ledger, target, { numbers: numbers.slice(at, at + 20), time });
    await sleep(Math.random() * 200);
  }
}
