// Throws random bytes in random chunks at the framer of syslog over TCP and TLS.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Framer, type Framing } from '#collectors/syslog/framer.ts';
import { type Dice, pick } from '#kernel/dice.ts';
import { repeat } from '#test/support/fuzz-inputs.ts';
import { randomBytes } from '#test/support/sender-bodies.ts';

describe('Frames of syslog', () => {
  it('are never longer than they may be, and hold no more than was reserved', async () => {
    await repeat((dice) => {
      const [framing] = pick<[Framing?]>(dice, [['newline'], ['octet-count'], []]);
      const most = 1 + dice.below(60);
      const budget = dice.below(100);
      const { told, isWellFormed, heldBytes, sent } = framed(dice, framing, { most, budget });
      assert.equal(heldBytes, 0);
      // What cannot be framed is told whole, and ends the connection.
      for (const bytes of isWellFormed ? told : told.slice(0, -1)) assert(bytes <= most);
      assert(told.reduce((sum, bytes) => sum + bytes, 0) <= sent);
    });
  });

  it('of one chunk are found in one pass, whatever ends them', () => {
    let messages = 0;
    const sink = { message: () => (messages += 1), hold: () => true, release() {} };
    assert(new Framer('newline', 1000, sink).push(Buffer.alloc(1_000_000, 'a\0')));
    assert.equal(messages, 500_000);
  });
});

/** Random bytes and counts in random chunks, until the framer gives up. */
function framed(dice: Dice, framing: Framing | undefined, { most, budget }: { most: number; budget: number }) {
  const told: number[] = [];
  let heldBytes = 0;
  let sent = 0;
  const framer = new Framer(framing, most, {
    message: (bytes) => told.push(bytes.length),
    hold(bytes) {
      if (heldBytes + bytes > budget) return false;
      heldBytes += bytes;
      return true;
    },
    release(bytes) {
      heldBytes -= bytes;
      assert(heldBytes >= 0);
    },
  });
  let isWellFormed = true;
  for (let count = dice.below(8); count > 0 && isWellFormed; count -= 1) {
    const text = pick(dice, ['<1>a\n', '5 <1>bb', '999999999 <1>', '12', ' ', '\0', 'x'.repeat(80)]);
    const chunk = Buffer.concat([Buffer.from(text), randomBytes(dice, 20)]);
    sent += chunk.length;
    isWellFormed = framer.push(chunk);
    assert(heldBytes <= budget);
  }
  framer.end();
  return { told, isWellFormed, heldBytes, sent };
}
