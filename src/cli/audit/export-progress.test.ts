import { describe, expect, it } from 'vitest';
import type { Invocation } from '#cli/kit/command.ts';
import { translatorFor } from '#cli/kit/translator.ts';
import { Capture } from '#test/support/cli.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ExportProgress } from './export-progress.ts';

describe('The progress of an export', () => {
  it('is said once a second on one line of the terminal, which is cleared at the end', async () => {
    const { clock, progress, stderr } = begin({ stdout: false, stderr: true });
    await count(progress, ['a\nb', '\nc\n']);
    clock.advance({ milliseconds: 999 });
    expect(stderr.text).toBe('');
    clock.advance({ seconds: 1 });
    expect(stderr.text).toBe('\r\x1b[K3 audit entries so far');
    progress.clear();
    clock.advance({ seconds: 5 });
    expect(stderr.text).toBe('\r\x1b[K3 audit entries so far\r\x1b[K');
  });

  const silent = [
    { it: 'is not said where standard error is no terminal', stdout: false, stderr: false },
    { it: 'is not said where the transfer itself runs over the terminal', stdout: true, stderr: true },
  ];
  for (const { it: sentence, ...terminals } of silent) {
    it(sentence, async () => {
      const { clock, progress, stderr } = begin(terminals);
      await count(progress, ['a\n']);
      clock.advance({ seconds: 5 });
      progress.clear();
      expect(progress.lines).toBe(1);
      expect(stderr.text).toBe('');
    });
  }
});

function begin(terminals: { stdout: boolean; stderr: boolean }) {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const stdout = new Capture(terminals.stdout);
  const stderr = new Capture(terminals.stderr);
  const invocation: Invocation = {
    flags: {},
    lists: {},
    words: [],
    environment: {},
    translator: translatorFor({}),
    streams: { stdout, stderr },
    isColoured: false,
    print: () => undefined,
    note: () => undefined,
  };
  return { clock, stderr, progress: new ExportProgress(invocation, clock) };
}

async function count(progress: ExportProgress, chunks: readonly string[]): Promise<void> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  for await (const _ of progress.counting(bytes()));
}
