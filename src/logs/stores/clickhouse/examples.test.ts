// All examples of the language that give rows, on two shards of ClickHouse.

import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { queryExamples } from '#query/examples/index.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { EngineWorld } from '#test/support/engine-world.ts';
import { expectExample, runsHere } from '#test/support/example-suite.ts';

describe.skipIf(inject('clickhouse').reason)('Examples on ClickHouse', () => {
  let subject: { readonly server: ClickhouseServer; readonly home: EngineHome } | undefined;
  beforeAll(async () => {
    const server = await startClickhouse();
    subject = { server, home: await makeClickhouseHome({ servers: [server, server] }) };
  });
  afterAll(async () => {
    await subject?.home[Symbol.asyncDispose]();
    await subject?.server[Symbol.asyncDispose]();
  });

  for (const example of queryExamples().filter(runsHere)) {
    it(example.query, async () => {
      if (!subject) throw new Error('the server has not started');
      await using world = await EngineWorld.open(subject.home, example);
      await expectExample(example, world);
    });
  }
});
