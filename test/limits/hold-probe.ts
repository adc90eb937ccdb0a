// Loaded into a service before anything else (`node --import`): finds out for how long its main thread is held, and by what.
// A turn of the event loop is measured in processor time of that thread alone, so that a busy machine is not taken for a busy
// service; a sampling profiler says what ran in the longest turn. Answers messages of the process that started it.

import { Session } from 'node:inspector/promises';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Held {
  /** Of the longest turn, milliseconds of processor time. */
  readonly longest: number;
  /** By how many milliseconds the event loop was late at most, and how many processes wanted a processor meanwhile. */
  readonly delay: number;
  readonly load: number;
  /** How many turns took longer than 20 milliseconds. */
  readonly long: number;
  /** What ran in the longest, dearest first: share of its samples, and the innermost function of ours. */
  readonly by: readonly string[];
}

interface Turn {
  readonly milliseconds: number;
  readonly begin: number;
  readonly end: number;
}

const LONG_MS = 20;
const SAMPLE_MICROSECONDS = 500;
const NAMED = 4;

const session = new Session();
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
let turns: Turn[] = [];
let last = { busy: busyMilliseconds(), at: microseconds() };

function busyMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

// Due in every turn that takes longer than a millisecond, so between two of its calls there is one such turn at most.
setInterval(() => {
  const now = { busy: busyMilliseconds(), at: microseconds() };
  turns.push({ milliseconds: now.busy - last.busy, begin: last.at, end: now.at });
  if (turns.length > 100_000) turns = turns.filter(({ milliseconds }) => milliseconds > 1);
  last = now;
}, 1).unref();

process.on('message', (message) => {
  void (message === 'begin' ? begun() : found()).then((told) => process.send?.(told));
});

async function begun(): Promise<string> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  await new Promise((resolve) => setTimeout(resolve, 5));
  turns = [];
  delays.reset();
  return 'begun';
}

async function found(): Promise<Held> {
  const measured = turns;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const longest = measured.reduce<Turn>((most, one) => (one.milliseconds > most.milliseconds ? one : most), {
    milliseconds: 0,
    begin: 0,
    end: 0,
  });
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const ours = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url, lineNumber } = nodes.get(at)?.callFrame ?? {
        functionName: '',
        url: '',
        lineNumber: 0,
      };
      const [, path] = /\/(src\/.*)$/.exec(url) ?? [];
      if (path !== undefined) return `${functionName || '(anonymous)'} ${path}:${lineNumber + 1}`;
    }
    return nodes.get(id)?.callFrame.functionName || '(unknown)';
  };
  const counts = new Map<string, number>();
  let at = profile.startTime;
  let total = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    at += profile.timeDeltas?.[index] ?? 0;
    if (at < longest.begin || at > longest.end) continue;
    counts.set(ours(id), (counts.get(ours(id)) ?? 0) + 1);
    total += 1;
  }
  const dearest = [...counts].toSorted((one, other) => other[1] - one[1]).slice(0, NAMED);
  return {
    longest: longest.milliseconds,
    delay: delays.max / 1e6,
    load: loadavg()[0] ?? 0,
    long: measured.filter(({ milliseconds }) => milliseconds > LONG_MS).length,
    by: dearest.map(([name, count]) => `${Math.round((100 * count) / total)} % ${name}`),
  };
}
