// Addresses and Korean names of dates in SQL: the values of the local evaluator, without a call of it.

import { describe, expect, it } from 'vitest';
import { DuckdbRows, evaluateLocally, isSame, planned } from '#test/support/expressions.ts';

const ADDRESSES = [
  ...['::', '::1', '1::', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1:2:3:4:5:6:7:0'],
  ...['1::2::3:4:5:6', '1:::2', '1::2:3:4:5:6:7:8', '1:2:3:4::5:6:7:8', '1:', ':', '1:2', '12345::', '::g', ''],
  ...['2001:db8::5', '2001:0DB8:0:0:1::5', '2001:db8:ff::', '2001:db8:00ff:1::', '2001:db8:100::1', '2001::db8'],
  ...['2001:db8:0:0:1:0:0:1', '1:0:0:2:0:0:0:3', '0:0:1::', '1:0:2:0:3:0:4:0', 'fe80::1', 'febf::1', 'fec0::1'],
  ...['::ffff:10.1.2.3', '::FFFF:a01:203', '0:0:0:0:0:ffff:10.1.2.3', '::ffff:0:0', '::fffe:ffff:ffff', '10.1.2.3'],
  ...['64:ff9b::1.2.3.4', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:7:1.2.3.4', '::01.2.3.4', '::1.2.3', '::1.2.3.4.5'],
  ...['fe80::1%eth0', '[::1]', '10.1.2.3:', ' ::1', '::1\n'],
];

const COLUMNS = [
  { name: 's', type: 'string' },
  { name: 'n', type: 'long' },
  { name: 't', type: 'date' },
] as const;

const ROWS = [...ADDRESSES, null].map((s, index) => ({
  s,
  n: index % 7 === 0 ? null : BigInt((index * 37) % 133) - 2n,
  t: Temporal.Instant.fromEpochMilliseconds(1_700_000_000_000 + index * 50_000_000),
}));

const DAYS = ['월요일', '목', '2026 1월 3', '2026 12월 3 일요일', '01월', '13월', '월요', '3 토'].map((s) => ({ s }));

async function agrees(text: string, rows: Parameters<typeof evaluateLocally>[1]): Promise<void> {
  await using duckdb = await DuckdbRows.open(COLUMNS, rows);
  const expression = planned(text, COLUMNS);
  expect(duckdb.statementOf(expression).text).not.toContain('vigil_local');
  const found = await duckdb.values(expression);
  const wanted = evaluateLocally(expression, rows);
  expect(rows.filter((_, index) => !isSame(wanted[index] ?? null, found[index] ?? null))).toEqual([]);
}

describe('SQL reads every form of an address', () => {
  it.each(['ip(s)', 'ipkey(s)', 'ip2long(s)', 'ip2int(s)', 'reverseip(s)'])('in %s', (text) => agrees(text, ROWS));

  it.each(['n', '0', '29', '64', '128'])('in network(s, %s)', (bits) => agrees(`network(s, ${bits})`, ROWS));

  it.each([
    ...['2001:db8::/32', '2001:db8::/40', '2001:db8:0:1::/64', '2001::/16', '2000::/3', 'fe80::/10', '::/0', '::/96'],
    ...['1:2:3:4:5:6:102:304/128', '1:2:3:4:5:6:102:0/115', '10.0.0.0/8', '::ffff:10.0.0.0/105', '0.0.0.0/0'],
  ])('in innet(s, %j)', (network) => agrees(`innet(s, "${network}")`, ROWS));

  it.each([
    ['2001:db8::', '2001:db8::ffff'],
    ['::', 'ffff::'],
    ['10.0.0.1', '10.1.2.3'],
  ])('in iprange(s, %j, %j)', (low, high) => agrees(`iprange(s, "${low}", "${high}")`, ROWS));
});

describe('SQL has the Korean names', () => {
  it.each(['E', 'EE', 'EEE', 'EEEE', 'MMM d', 'MMMM', 'a h:mm', "yyyy-MM-dd '('EEEE')' Z"])('to write %s', (pattern) =>
    agrees(`string(t, "${pattern}", "ko")`, ROWS),
  );

  it.each(['E', 'EEEE', 'MMM', 'yyyy MMM d', 'yyyy MMM d EEEE', 'd E'])('to read %s', (pattern) =>
    agrees(`date(s, "${pattern}", "ko")`, DAYS),
  );
});
