import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { LiveGroup } from './live-group.ts';

const ENTRIES = ['10.0.0.1', '10.0.0.0/30', '10.0.0.4/31', '2001:db8::1', '2001:db8::/126', '192.168.0.5-192.168.0.9'];
const TEXTS = [
  '10.0.0.1',
  '::ffff:10.0.0.1',
  '10.0.0.3',
  '10.0.0.5',
  '2001:DB8:0::1',
  '2001:db8::3',
  '192.168.0.7',
  'x',
  '',
];

/** A group whose clock the test turns. */
function groupAt(entries: readonly { ip: string; expires_at: number | null }[]) {
  const clock = { now: 0 };
  return { clock, group: new LiveGroup(entries, () => clock.now) };
}

describe('An address group in memory', () => {
  it('holds what a group that is made at once holds, however its entries come and go', () => {
    const change = fc.tuple(fc.boolean(), fc.array(fc.constantFrom(...ENTRIES), { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const { group } = groupAt([]);
        const entries = new Set<string>();
        for (const [isAdded, ips] of changes) {
          for (const ip of ips) {
            if (isAdded) entries.add(ip);
            else entries.delete(ip);
          }
          if (isAdded) group.add(ips.map((ip) => ({ ip, expires_at: null })));
          else group.remove(ips);
        }
        const whole = new AddressGroup(entries);
        expect(TEXTS.map((text) => group.has(text))).toEqual(TEXTS.map((text) => whole.has(text)));
      }),
    );
  });

  it('holds an entry until it expires, or longer where that was put off', () => {
    const { clock, group } = groupAt([
      { ip: '10.0.0.1', expires_at: 10 },
      { ip: '10.1.0.0/16', expires_at: 20 },
      { ip: '10.2.0.0/16', expires_at: null },
    ]);
    const held = () => ['10.0.0.1', '10.1.0.1', '10.2.0.1'].map((text) => group.has(text));
    expect(held()).toEqual([true, true, true]);
    clock.now = 9;
    group.add([{ ip: '10.0.0.1', expires_at: 15 }]);
    clock.now = 14;
    expect(held()).toEqual([true, true, true]);
    clock.now = 15;
    expect(held()).toEqual([false, true, true]);
    clock.now = 20;
    expect(held()).toEqual([false, false, true]);
  });

  it('goes on holding the others while thousands expire', () => {
    const { clock, group } = groupAt([{ ip: '10.255.0.1', expires_at: null }]);
    for (let at = 0; at < 5000; at += 1) {
      clock.now = at;
      group.add([{ ip: `10.0.${at >> 8}.${at & 255}`, expires_at: at + 10 }]);
    }
    expect([group.has('10.255.0.1'), group.has('10.0.0.1'), group.has('10.0.19.135')]).toEqual([true, false, true]);
  });
});
