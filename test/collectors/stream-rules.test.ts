// Stream rules look at what loggers collect.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { valuesOf } from '#test/support/collected-logs.ts';
import { createCollector, sendDatagrams } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { createSchema } from '#test/support/rules.ts';
import { createStreamRule, eventsOf } from '#test/support/stream-rules.ts';
import { onEachDatabase } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-watched-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

onEachDatabase(
  'Stream rules and loggers that collect',
  (subject) => {
    const messagesOf = async (rule: string, count: number) => {
      const events = await until(
        () => eventsOf(subject, rule),
        (found) => found.length >= count,
      );
      return events.map(({ msg }) => msg);
    };

    it('meet in messages of syslog and in lines of files; another schema of the table counts for the next', async () => {
      await createSchema(subject, 'watched');
      const where = ['search line == "*attack*"'];
      const fields = { msg: '$line from $sender_ip', suppress_key: '$line' };
      const rule = await createStreamRule(subject, { schema: 'watched', where, fields });
      const port = await freePort();
      const configs = { port, bind: '127.0.0.1' };
      await createCollector(subject, { table: 'messages', factory: 'syslog-udp', configs });
      await sendDatagrams(port, ['attack before']);
      await valuesOf(subject, 'messages', 1);
      await subject.call('PUT', '/api/core/tables/messages', { form: { schema_code: 'watched' } });
      await sendDatagrams(port, ['all is well', 'attack one']);
      expect(await messagesOf(rule, 1)).toEqual(['attack one from 127.0.0.1']);
      const path = join(root, `${subject.database}.log`);
      writeFileSync(path, 'attack long ago\n');
      const storage = { schema_code: 'watched' };
      await createCollector(subject, { table: 'lines', factory: 'file', configs: { path }, storage, fields: HASTE });
      appendFileSync(path, 'all is well\nattack two\n');
      expect(await messagesOf(rule, 2)).toEqual(['attack one from 127.0.0.1', expect.stringContaining('attack two')]);
    });
  },
  { clock: systemClock, flags: { 'collect-folders': root } },
);

const HASTE = { interval: '1000' };
