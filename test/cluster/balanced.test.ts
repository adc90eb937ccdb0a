// Three nodes behind a proxy that sends every request to another one: a client sees one service. `npm run test:cluster` runs the
// contract suites in this way; here is what each of them needs first.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { startBalanced } from '#test/support/balanced-nodes.ts';
import { logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { cancel, ENDLESS_JSON, finished, linesOf, openCursor, ran, rowsFrom } from '#test/support/queries.ts';
import { startRotatingProxy } from '#test/support/rotating-proxy.ts';
import { type CallOptions, MASTER_KEY, send } from '#test/support/service.ts';
import { append, createTable, opened, STREAMS } from '#test/support/uploads.ts';

const skip = inject('clickhouse').reason || inject('postgresReason');

describe.skipIf(skip)('Nodes behind a proxy without a memory', () => {
  it('answer as one service: logs, queries with their rows and ends, uploads', async () => {
    await using server = await startClickhouse();
    const folder = mkdtempSync(join(inject('folder'), 'balanced-'));
    const flags = {
      data: join(folder, 'data'),
      keys: join(folder, 'keys'),
      node: 'n1',
      database: await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`),
      logs: logsUrl([server], await server.createDatabase()),
    };
    const balanced = await startBalanced({ count: 3, flags, options: { masterKey: MASTER_KEY } });
    try {
      await using proxy = await startRotatingProxy(balanced.nodes.map(({ url }) => url));
      const service = {
        call: (method: string, path: string, options?: CallOptions) => send(`${proxy.url}${path}`, method, options),
      };
      const logger = await createLogger(service, { table: 'web' });
      for (const n of [1, 2, 3, 4]) {
        expect((await push(service, logger, { body: JSON.stringify({ n }) })).status).toBe(200);
      }
      const { id, rows } = await ran(service, 'table web | sort n | fields n');
      expect(rows).toBe(4);
      expect(linesOf(await rowsFrom(service, id))).toEqual([1, 2, 3, 4].map((n) => ({ n })));
      const endless = await openCursor(service, ENDLESS_JSON);
      const waiting = service.call('GET', `/api/core/queries/${endless}?wait=60`);
      expect((await cancel(service, endless)).status).toBe(200);
      expect((await waiting).json).toMatchObject({ is_finished: true, is_cancelled: true });
      expect(await finished(service, endless)).toMatchObject({ cancel_reason: 'UserRequest' });

      await createTable(service, 'uploaded');
      const body = '{"n":1}\n{"n":2}';
      const token = await opened(service, { file_size: body.length, metadata: { table: 'uploaded' } });
      for (let at = 0; at < body.length; at += 5) {
        expect((await append(service, token, { offset: at, body: body.slice(at, at + 5) })).status).toBe(204);
      }
      const done = await service.call('POST', `${STREAMS}/${token}/complete`, { key: null });
      expect(done.json).toMatchObject({ accepted: 2 });
      expect(Math.min(...proxy.counts)).toBeGreaterThan(5);
    } finally {
      await balanced.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
