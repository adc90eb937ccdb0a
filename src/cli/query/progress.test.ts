import { describe, expect, it } from 'vitest';
import { translatorFor } from '#cli/kit/translator.ts';
import { Capture } from '#test/support/cli.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { QueryProgress } from './progress.ts';
import type { QueryStatus } from './query-run.ts';

type State = QueryStatus['commands'][number];

const state = (command: string, status: State['status'], push_count: number): State => ({
  command,
  status,
  push_count,
});
const statusOf = (commands: readonly State[], further: Partial<QueryStatus> = {}): QueryStatus => ({
  rows: 0,
  elapsed: 0,
  is_finished: false,
  is_cancelled: false,
  commands,
  sub_queries: [],
  ...further,
});

function begin({ isTerminal = true, LANG = 'C' } = {}) {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const stdout = new Capture(false);
  const stderr = new Capture(isTerminal);
  const progress = new QueryProgress({ streams: { stdout, stderr }, translator: translatorFor({ LANG }) }, clock);
  return { clock, progress, written: () => stderr.text };
}

describe('The progress of a query', () => {
  const two = statusOf([state('table web', 'Running', 12_345_678), state('stats count by path', 'Waiting', 0)]);
  const lines = [
    'table web            running  12,345,678',
    'stats count by path  waiting           0',
    '0:00  0 rows',
  ].join('\n');

  it('is a line for each command, drawn over in place, and cleared at the end', () => {
    const { clock, progress, written } = begin();
    clock.advance({ milliseconds: 249 });
    progress.saw(two);
    expect(written()).toBe('');
    clock.advance({ milliseconds: 1 });
    expect(written()).toBe(`\r\x1b[J${lines}`);
    clock.advance({ milliseconds: 250 });
    expect(written()).toBe(`\r\x1b[J${lines}\r\x1b[2A\x1b[J${lines}`);
    progress[Symbol.dispose]();
    clock.advance({ seconds: 5 });
    expect(written()).toBe(`\r\x1b[J${lines}\r\x1b[2A\x1b[J${lines}\r\x1b[2A\x1b[J`);
  });

  it('says nothing before there is a status, nor where nobody looks', () => {
    const waiting = begin();
    waiting.clock.advance({ seconds: 1 });
    expect(waiting.written()).toBe('');
    const unseen = begin({ isTerminal: false });
    unseen.progress.saw(two);
    unseen.clock.advance({ seconds: 1 });
    unseen.progress[Symbol.dispose]();
    expect(unseen.written()).toBe('');
  });

  it('writes nothing more once it is left', () => {
    const { clock, progress, written } = begin();
    progress.saw(two);
    clock.advance({ milliseconds: 250 });
    progress.leave();
    progress[Symbol.dispose]();
    clock.advance({ seconds: 1 });
    expect(written()).toBe(`\r\x1b[J${lines}`);
  });

  const shownLines = (status: QueryStatus, LANG = 'C') => {
    const { clock, progress, written } = begin({ LANG });
    progress.saw(status);
    clock.advance({ seconds: 65 });
    return (written().split('\x1b[J').at(-1) ?? '').split('\n');
  };

  it('shows subqueries, speaks Korean and cuts commands to the width of the terminal', () => {
    const long = `search 이름 == "${'가'.repeat(60)}"`;
    const commands = [state('table a', 'End', 5), state(long, 'Finalizing', 1000)];
    const shown = shownLines(
      statusOf(commands, {
        rows: 1234,
        sub_queries: [{ id: 2, commands: [{ ...state('table b\x1b[2J', 'Running', 7), name: 0 }] }],
      }),
      'ko_KR.UTF-8',
    );
    expect(shown).toEqual([
      `table a${' '.repeat(74)}  완료           5`,
      `search 이름 == "${'가'.repeat(32)}…  마무리 중  1,000`,
      `  table b·[2J${' '.repeat(68)}  실행 중        7`,
      '1:05  1,234건',
    ]);
  });

  it('shows no more lines than the terminal has', () => {
    const commands = Array.from({ length: 40 }, (_, n) => state(`eval n = ${n}`, 'Running', n));
    const shown = shownLines(statusOf(commands));
    expect(shown.length).toBe(29);
    expect(shown[0]).toBe('… 13 earlier commands');
    expect(shown.at(-2)).toBe('eval n = 39  running  39');
  });
});
