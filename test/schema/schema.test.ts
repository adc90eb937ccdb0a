// No answer is outside its declaration, whatever is asked: schemathesis makes requests from the OpenAPI document and holds
// every answer to it. VIGIL_SCHEMA_EXAMPLES says how many per operation; `npm run test:schema` does it for long.

import { describe, expect, it } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { tellSkipped } from '#test/support/python-environment.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { opened } from '#test/support/uploads.ts';
import { fuzz, installSchemathesis, type World } from './schemathesis.ts';

const LONG = process.env.VIGIL_SCHEMA_EXAMPLES;
const EXAMPLES = Number(LONG ?? 3);
const PHASES = LONG ? 'examples,coverage,fuzzing,stateful' : 'examples,fuzzing';
const UPLOADS = 40;
const MIN_CASES = 500;

const found = await installSchemathesis();
const reason = 'reason' in found ? found.reason : undefined;
if (reason !== undefined) tellSkipped('THE FUZZER OF THE OPENAPI DOCUMENT', reason);

describe.skipIf(reason !== undefined)('Schemathesis', () => {
  it('finds no answer outside its declaration, and asks every operation', async () => {
    await using service = await startService();
    const world = await createWorld(service);
    const { executable } = found as { executable: string }; // Otherwise the suite is skipped.
    const fuzzing = { url: service.url, key: MASTER_KEY, world, phases: PHASES, examples: EXAMPLES };
    const { passed, report } = await fuzz(executable, fuzzing);
    if (LONG) console.log(report);
    expect(passed, report).toBe(true);
    const [, selected, all] = /Operations: +(\d+) selected \/ (\d+) total/.exec(report) ?? [];
    expect([selected, all]).toEqual([all, /Tested: (\d+)/.exec(report)?.[1]]);
    expect(Number(/(\d+) generated/.exec(report)?.[1])).toBeGreaterThan(MIN_CASES);
  });
});

/** A table with rows, its logger, a cursor and uploads: what random names would never meet. */
async function createWorld(service: Service): Promise<World> {
  const logger = await createLogger(service, { table: 'web' });
  await push(service, logger, { body: '{"status":200,"src_ip":"10.0.0.1"}\n{"status":500}\n' });
  const cursor = await service.call('POST', '/api/core/cursors', { form: { q: 'table web' } });
  const id = String(cursor.json.id);
  const tokens: string[] = [];
  for (let count = 0; count < UPLOADS; count += 1) {
    tokens.push(await opened(service, { file_size: 1000, metadata: { table: 'web' } }));
  }
  return {
    paths: {
      '/api/core/loggers/{guid}': { guid: logger },
      '/api/core/loggers/{guid}/logs': { guid: logger },
      '/api/core/tables/{table}': { table: 'web' },
      '/api/core/cursors/{id}': { id },
      '/api/core/queries/{id}': { id },
      '/api/core/queries/{id}/events': { id },
      '/api/core/queries/{id}/tags': { id },
    },
    queries: ['table web', 'table web | stats count by status', 'json "{}" | limit 0'],
    tokens,
  };
}
