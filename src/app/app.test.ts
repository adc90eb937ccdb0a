// The order in which a service closes its parts: each before those that it needs for its last work.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Accounts } from '#access/accounts/accounts.ts';
import { Collectors } from '#collectors/collectors.ts';
import { SessionPool } from '#connections/databases/session-pool.ts';
import { Alarms } from '#detection/alarms/alarms.ts';
import { FailureAlarms } from '#detection/alarms/failure-alarms.ts';
import { SilentSources } from '#detection/alarms/silent-sources.ts';
import { StreamRules } from '#detection/stream/stream-rules.ts';
import { Trials } from '#detection/stream/trials/trials.ts';
import { DiskReserve } from '#files/disk-reserve.ts';
import { LoggerCounters } from '#ingest/counts/counters.ts';
import { LineDecoder } from '#ingest/decode/line-decoder.ts';
import { Intake } from '#ingest/intake.ts';
import { Previews } from '#ingest/reading/previews/previews.ts';
import { Readers } from '#ingest/reading/reader.ts';
import { EmbeddedStore } from '#logs/stores/embedded/embedded-store.ts';
import { LiveQueries } from '#queries/live-queries.ts';
import { Uploads } from '#resources/upload-streams/uploads/uploads.ts';
import { Scheduler } from '#scheduler/scheduler.ts';
import { SenderThreads } from '#senders/threads/sender-threads.ts';
import { startService } from '#test/support/service.ts';

/** In the order in which they are closed. */
const PARTS = {
  collectors: Collectors,
  intake: Intake,
  senders: SenderThreads,
  scheduler: Scheduler,
  silentSources: SilentSources,
  failures: FailureAlarms,
  alarms: Alarms,
  trials: Trials,
  previews: Previews,
  queries: LiveQueries,
  sessions: SessionPool,
  accounts: Accounts,
  counters: LoggerCounters,
  uploads: Uploads,
  lineDecoder: LineDecoder,
  readers: Readers,
  streamRules: StreamRules,
  logs: EmbeddedStore,
};

function watched() {
  const closed: string[] = [];
  for (const [name, { prototype }] of Object.entries(PARTS)) {
    const close: () => Promise<void> | void = prototype.close;
    vi.spyOn(prototype, 'close').mockImplementation(function (this: unknown) {
      closed.push(name);
      return close.call(this) as never; // As the part itself does.
    });
  }
  return closed;
}

afterEach(() => void vi.restoreAllMocks());

describe('The parts of a service', () => {
  it('are closed one after another: what lets work in, then what does it, then what keeps the results', async () => {
    await using service = await startService();
    const closed = watched();
    await service.stop();
    expect(closed).toEqual(Object.keys(PARTS));
  });

  it('are closed after a start that failed, too, and another start finds nothing locked', async () => {
    await using service = await startService();
    await service.stop();
    const closed = watched();
    vi.spyOn(DiskReserve.prototype, 'keep').mockRejectedValueOnce(new Error('no room'));
    await expect(service.restart()).rejects.toThrow('no room');
    expect(closed).toEqual(Object.keys(PARTS));
    vi.restoreAllMocks();
    await service.restart();
    expect((await service.call('GET', '/readyz')).status).toBe(200);
  });
});
