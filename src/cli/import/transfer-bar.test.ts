import { describe, expect, it } from 'vitest';
import { translatorFor } from '#cli/kit/translator.ts';
import { Capture } from '#test/support/cli.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { TransferBar } from './transfer-bar.ts';

const MIB = 1024 * 1024;

function begin({ isTerminal = true, LANG = 'C' } = {}) {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const stdout = new Capture(false);
  const stderr = new Capture(isTerminal);
  const invocation = { streams: { stdout, stderr }, translator: translatorFor({ LANG }) };
  const bar = new TransferBar(invocation, { name: 'web.log', sizeBytes: 100 * MIB }, clock);
  return { clock, bar, shown: () => stderr.text.split('\r\x1b[K').at(-1), written: () => stderr.text };
}

describe('The bar of a transfer', () => {
  it('shows bytes, rate and the time that is left', () => {
    const { clock, bar, shown } = begin();
    bar.sent(0);
    clock.advance({ seconds: 2 });
    bar.sent(50 * MIB);
    clock.advance({ milliseconds: 500 });
    expect(shown()).toBe('web.log [##########----------] 50 %  50.0 MiB of 100 MiB  20.0 MiB/s  0:03 left');
    bar.importing();
    clock.advance({ seconds: 1 });
    expect(shown()).toBe('web.log: 100 MiB sent, importing');
  });

  it('counts the rate of this attempt alone', () => {
    const { clock, bar, shown } = begin();
    bar.sent(80 * MIB);
    clock.advance({ seconds: 10 });
    bar.sent(90 * MIB);
    clock.advance({ milliseconds: 250 });
    expect(shown()).toBe('web.log [##################--] 90 %  90.0 MiB of 100 MiB  999 KiB/s  0:11 left');
  });

  it('counts from nothing when it is begun anew', () => {
    const { clock, bar, shown } = begin();
    bar.sent(80 * MIB);
    bar.importing();
    clock.advance({ seconds: 10 });
    bar.restart();
    bar.sent(0);
    clock.advance({ seconds: 1 });
    bar.sent(10 * MIB);
    clock.advance({ seconds: 1 });
    expect(shown()).toBe('web.log [##------------------] 10 %  10.0 MiB of 100 MiB  5.0 MiB/s  0:18 left');
  });

  it('speaks Korean', () => {
    const { clock, bar, shown } = begin({ LANG: 'ko_KR.UTF-8' });
    bar.sent(0);
    clock.advance({ milliseconds: 250 });
    expect(shown()).toBe('web.log [--------------------] 0%  100 MiB 중 0 B  초당 0 B  남은 시간 -:--');
  });

  it('is cleared at the end, and never shown where nobody looks', () => {
    const { clock, bar, written } = begin();
    clock.advance({ milliseconds: 250 });
    bar[Symbol.dispose]();
    clock.advance({ seconds: 5 });
    expect(written().endsWith('\r\x1b[K')).toBe(true);
    const quiet = begin({ isTerminal: false });
    quiet.clock.advance({ seconds: 5 });
    quiet.bar[Symbol.dispose]();
    expect(quiet.written()).toBe('');
  });
});
