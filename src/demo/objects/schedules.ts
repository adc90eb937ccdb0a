// Scheduled queries of the demo, with a day of runs in their ledger.

import { toStamp } from '#contract/times.ts';
import type { Client } from '#demo/connection.ts';
import { waitUntil } from '#demo/wait-until.ts';
import { SCHEDULES } from './guids.ts';

const HOURS = 24;

const cron = (cron_schedule: string) => ({ trigger_type: 'cron', cron_schedule, enabled: true });
const after = (preceding_guid: string, preceding_action: string) => ({
  trigger_type: 'workflow',
  preceding_guid,
  preceding_action,
  enabled: true,
});

const LIST = [
  {
    guid: SCHEDULES.hourly,
    name: 'web-hourly',
    description: '시간별 웹 요약을 web_hourly 테이블에 저장',
    query:
      'table duration=1h web | stats count as hits, dc(src_ip) as visitors, count(if(status >= 500, 1, null)) as errors, sum(bytes) as bytes | import web_hourly',
    output_parameter: true,
    ...cron('0 * * * *'),
  },
  {
    guid: SCHEDULES.verdict,
    name: 'web-verdict',
    description: 'What the last hour was like',
    query:
      'json "{}" | eval hits = $("hits"), errors = $("errors"), verdict = if($("errors") * 100 > $("hits"), "bad", "good")',
    ...after(SCHEDULES.hourly, 'succeeded'),
  },
  {
    guid: SCHEDULES.failed,
    name: 'web-hourly-failed',
    description: '요약이 실패했을 때만 실행',
    query: 'json "{}" | eval message = "no summary of the last hour"',
    ...after(SCHEDULES.hourly, 'failed'),
  },
  {
    guid: SCHEDULES.denials,
    name: 'live-denials',
    description: 'Counts what the firewall denies, as it happens, for twelve hours',
    query: 'table window=12h firewall | search action == "deny" | stats count by src_ip | sort -count | limit 10',
    ...cron('0 0,12 * * *'),
  },
  {
    guid: SCHEDULES.report,
    name: '일일 보고',
    description: 'The busiest sources of the day',
    query: 'table duration=1d web | stats count, sum(bytes) as bytes by src_ip | sort -count | limit 20',
    ...cron('0 9 * * 1-5'),
    node_types: ['control'],
  },
  {
    guid: SCHEDULES.obsolete,
    name: 'old-report',
    description: 'Replaced, never worked: see its query_error',
    query: 'table web | serach status >= 500 | stats count by path',
    trigger_type: 'cron',
    cron_schedule: '0 6 * * *',
    enabled: false,
  },
];

/** Creates the schedules and starts to backfill their runs of the day that ends at `end`. */
export async function makeSchedules(kim: Client, end: number, zone: string): Promise<void> {
  for (const schedule of LIST) await kim.post('/scheduled-queries', schedule);
  const to = Temporal.Instant.fromEpochMilliseconds(end);
  const from = to.subtract({ hours: HOURS }).add({ seconds: 1 });
  const range = { from: toStamp(from, zone), to: toStamp(to, zone) };
  await kim.post(`/scheduled-queries/${SCHEDULES.hourly}/backfill`, range);
}

/** Runs two of them by hand; one of these runs takes half a day. */
export async function runSchedules(kim: Client): Promise<void> {
  await kim.post('/scheduled-queries/run', { guids: [SCHEDULES.denials, SCHEDULES.report] });
}

interface Slot {
  readonly outcome: string;
  readonly state: string | null;
}

/** Resolves when all backfilled runs, and the runs of their followers, have ended. */
export async function waitForBackfill(kim: Client): Promise<void> {
  const count = async (guid: string, isOver: (slot: Slot) => boolean) => {
    const { slots } = await kim.get<{ slots: Slot[] }>(`/scheduled-queries/${guid}/slots`);
    return slots.filter(isOver).length;
  };
  const hasEnded = ({ state }: Slot) => state !== null && state !== 'running';
  // A follower is skipped while its last run is active.
  const isDoneWith = (slot: Slot) => slot.outcome === 'skipped' || hasEnded(slot);
  await waitUntil(async () => {
    const runs = await count(SCHEDULES.hourly, hasEnded);
    return runs >= HOURS && (await count(SCHEDULES.verdict, isDoneWith)) >= runs;
  });
}
