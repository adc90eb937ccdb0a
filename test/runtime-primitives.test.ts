// What a process does in threads, in rounds and in order is written once, in src/runtime (ADR 38). A parser finds what would be
// written by hand again; what it cannot find is listed there.

import { describe, expect, it } from 'vitest';
import { type HandWritten, handWrittenIn } from '#test/support/hand-written.ts';
import { isTest, sourcesIn } from '#test/support/sources.ts';

/** Files that may. */
const EXCEPTIONS: Readonly<Record<HandWritten, readonly string[]>> = {
  'a worker': ['src/runtime/threads.ts'],
  // The clock of the database passes the timer on.
  'a timer': ['src/runtime/periodic.ts', 'src/cluster/database-clock.ts'],
  // The clock itself, and the one of the browser.
  'an interval': ['src/kernel/time/clock.ts', 'console/src/time/use-every.ts'],
  'a chain': [],
  'a retry': [
    'src/runtime/retry.ts',
    // Each attempt runs in another way, and each way once.
    'src/queries/runs/query-run.ts',
    // Each attempt takes fewer records.
    'src/verification/sample.ts',
    // Runs in a browser, which takes only the client and the contract from the service.
    'console/src/results/query-run.ts',
  ],
  'a bounded map': [
    // A pool of idle threads.
    'src/runtime/threads.ts',
    // What could not be written comes back if there is room, and displaces nothing.
    'src/audit/counts/counted-entries.ts',
    // A query whose count is not written yet cannot leave.
    'src/audit/counts/repeated-entries.ts',
    // What leaves is decided by counts, of all at once.
    'src/logs/stores/shared/frequent-names.ts',
  ],
  'a budget': [
    'src/runtime/bounded-map.ts',
    // Nothing is refused: the senders of a full queue wait, a full group is written, a full store drops its oldest rows.
    'src/collectors/messages/message-queue.ts',
    'src/logs/stores/clickhouse/storage/group-writer.ts',
    'console/src/results/row-store.ts',
    // The share of the queue in the places of a pool.
    'src/scheduler/attempts/pool.ts',
  ],
  'an executor': [],
  // The second has to know that an iteration of the event loop is over, and waits for nothing.
  'an immediate': ['src/runtime/event-loop.ts', 'src/query/sql/local-call-budget.ts'],
};

const found = sourcesIn('src/**/*.ts', 'console/src/**/*.{ts,tsx}')
  .filter((source) => !isTest(source))
  .flatMap((source) => handWrittenIn(source).map((finding) => ({ ...finding, path: source.path })));

describe('The primitives of the runtime', () => {
  it('are not written again elsewhere', () => {
    const elsewhere = found.filter(({ kind, path }) => !EXCEPTIONS[kind].includes(path));
    expect(elsewhere.map(({ path, line, kind }) => `${path}:${line}: ${kind}`)).toEqual([]);
  });

  it('have no exception that is not needed', () => {
    const needless = Object.entries(EXCEPTIONS).flatMap(([kind, paths]) =>
      paths.filter((path) => !found.some((one) => one.kind === kind && one.path === path)),
    );
    expect(needless).toEqual([]);
  });

  it('bring node:http, whose import would load a client that nothing uses', () => {
    const imports = sourcesIn('src/**/*.ts').filter(
      (source) => !isTest(source) && /^import (?!type )[^;]*from 'node:http';/m.test(source.text),
    );
    expect(imports.map(({ path }) => path)).toEqual([]);
  });

  it('are recognised by their form', () => {
    const text = `new Worker(file);
      clock.every(PERIOD, () => look());
      items.every((item) => item.isGood);
      setInterval(look, 1000);
      this.work = this.work.then(work);
      this.work = this.work.then(work).catch(() => undefined);
      before = before.finally(work);
      this.first = this.second.then(work);
      const done = this.work.then(work);
      this.work = done.catch(() => undefined);
      const other = work.then(() => true);
      for (;;) { try { return work(); } catch (error) { if (isFinal(error)) throw error; } }
      while (isOn) { try { await work(); } catch { await clock.sleep(PAUSE); } }
      for (const way of ways) { try { return way(); } catch { failed(way); } }
      for (;;) { try { return work(); } catch (error) { throw asOwn(error); } }
      for (;;) { const one = async () => { try { return await work(); } catch { failed(); } }; }
      if (kept.size >= MAX_KEPT) kept.clear();
      if (this.kept.size < this.max) this.kept.set(key, value);
      for (const oldest of this.kept.keys()) { if (this.kept.size <= MAX_KEPT) return; this.kept.delete(oldest); }
      if (kept.size === 0) kept.clear();
      if (others.size >= MAX_OTHERS) kept.clear();
      await new Promise((resolve) => setTimeout(resolve, 10));
      setImmediate(look);
      this.bytes += body.length; if (this.bytes > MAX_BYTES) this.bytes -= body.length;
      this.count += 1; if (this.count > MAX_COUNT) this.count -= 1;
      this.read += body.length; if (this.read > MAX_BYTES) stop();`;
    expect(handWrittenIn({ path: 'src/example.ts', text }).map(({ kind, line }) => [line, kind])).toEqual([
      [1, 'a worker'],
      [2, 'a timer'],
      [4, 'an interval'],
      [5, 'a chain'],
      [6, 'a chain'],
      [7, 'a chain'],
      [10, 'a chain'],
      [12, 'a retry'],
      [13, 'a retry'],
      [17, 'a bounded map'],
      [18, 'a bounded map'],
      [19, 'a bounded map'],
      [22, 'an executor'],
      [23, 'an immediate'],
      [24, 'a budget'],
    ]);
  });
});
