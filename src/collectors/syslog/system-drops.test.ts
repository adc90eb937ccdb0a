import { expect, it } from 'vitest';
import { dropsIn } from './system-drops.ts';

const TABLE = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  390: 0100007F:2912 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 75061 2 00000000c51e5f2f 17
  391: 00000000:2912 0100007F:2913 07 00000000:00000000 00:00000000 00000000     0        0 75062 2 00000000c51e5f30 3
  444: 0100007F:2913 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 75063 2 00000000c51e5f31 99
  445: 00000000000000000000000000000000:0202 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 75064 2 00000000c51e5f32 5
`;

it.each([
  [10514, 20],
  [10515, 99],
  [514, 5],
  [515, 0],
])('What the system dropped of port %i is %i', (port, drops) => {
  expect(dropsIn(TABLE, port)).toBe(drops);
});
