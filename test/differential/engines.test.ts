// A short run of generated pipelines on both engines; `npm run test:differential -- --engine clickhouse --for 10m` is the long one.

import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { WEIGHT } from '#query/plan-nodes/shared/condensed.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';
import { type EnginePair, enginesCheck } from './engines.ts';
import { type LongRun, runLong } from './long-run.ts';

const RUNS = 4;
/** The end of a statement of which ClickHouse gives the first rows. */
const CHOSEN = /_id (asc|desc) limit \d+( by .*\))? format Parquet$/;
/** Of the long run, as `run.ts` gives it. */
const LONG: Omit<LongRun, 'checks'> | undefined = JSON.parse(process.env.VIGIL_DIFFERENTIAL ?? 'null') ?? undefined;

describe.skipIf(inject('clickhouse').reason)('The embedded engine and ClickHouse', () => {
  let subject: { readonly server: ClickhouseServer; readonly pair: EnginePair } | undefined;
  beforeAll(async () => {
    const server = await startClickhouse();
    // Some states are made where one server has all records alone: long runs of odd seeds are of one.
    const servers = Number(LONG?.seed ?? 0) % 2 === 0 ? [server, server] : [server];
    const clickhouse = await makeClickhouseHome({ servers });
    subject = { server, pair: { embedded: await makeEngineHome(), clickhouse } };
  });
  afterAll(async () => {
    await subject?.pair.embedded[Symbol.asyncDispose]();
    await subject?.pair.clickhouse[Symbol.asyncDispose]();
    await subject?.server[Symbol.asyncDispose]();
  });
  const check = () => {
    if (!subject) throw new Error('the engines are not open');
    return enginesCheck(subject.pair);
  };

  afterEach(() => void vi.restoreAllMocks());
  /** Counts the fetches, those that ClickHouse has condensed, whose rows it has chosen, and that needed no test of arrivals. */
  const countFetches = () => {
    const counts = { fetches: 0, condensed: 0, chosen: 0, atRest: 0 };
    const { download } = ClickhouseClient.prototype;
    vi.spyOn(ClickhouseClient.prototype, 'download').mockImplementation(function (this: ClickhouseClient, ...args) {
      counts.fetches += 1;
      if (args[0].includes(`count() as ${WEIGHT}`)) counts.condensed += 1;
      if (CHOSEN.test(args[0])) counts.chosen += 1;
      if (!args[0].includes('_arrived')) counts.atRest += 1;
      return download.apply(this, args);
    });
    return counts;
  };

  if (LONG)
    it('agree as long as they are asked', async () => {
      const counts = countFetches();
      const disagreements = await runLong({ ...LONG, checks: [check()] });
      console.log(
        `${counts.condensed} of ${counts.fetches} fetches were condensed by ClickHouse, the rows of ${counts.chosen} chosen, ${counts.atRest} at rest`,
      );
      expect(disagreements).toBe(0);
      expect(counts.condensed).toBeGreaterThan(counts.fetches / 20);
      expect(counts.chosen).toBeGreaterThan(counts.fetches / 50);
      expect(counts.atRest).toBeGreaterThan(counts.fetches / 10);
    });
  else
    it(`give the same rows, pages and counts, from seed ${FUZZ_SEED}`, async () => {
      const counts = countFetches();
      const { failure, runs } = await check().explore({ seed: FUZZ_SEED, runs: RUNS });
      expect(failure).toBeUndefined();
      expect(runs).toBe(RUNS);
      expect(counts.condensed).toBeGreaterThan(0);
    });
});
