// Installations that earlier versions wrote, with logs on ClickHouse, opened by this one.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { readManifest } from './fixtures.ts';
import { copyFixture, type OpenedFixture, onEachClickhouseFixture, openFixture } from './opened-fixture.ts';
import { defineOpened } from './opened-suite.ts';

onEachClickhouseFixture('An installation', (fixture) => {
  let server: ClickhouseServer;
  let opened: OpenedFixture;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  defineOpened(fixture, async () => {
    opened = await openFixture(await copyFixture(fixture, server));
    return opened;
  });

  it('keeps plain tables on ClickHouse, and those with a crypto profile in the data folder', async () => {
    for (const { name, protection } of readManifest(fixture).tables) {
      const { json } = await opened.service.call('GET', `/api/core/tables/${name}`);
      expect([name, json.table.engine]).toEqual([name, protection === 'plain' ? 'clickhouse' : 'embedded']);
    }
  });
});
