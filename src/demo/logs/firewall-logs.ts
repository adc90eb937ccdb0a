// The log of the demo's firewall, between the internet and the shop.

import type { Random } from '#demo/random.ts';
import { busy, moments } from './traffic.ts';
import { clientOf } from './web-logs.ts';

const A_MINUTE = 36;

const SERVERS = ['10.0.2.11', '10.0.2.12', '10.0.2.15', '10.0.2.31'];
/** Ports that scanners of the internet probe all the time. */
const KNOCKED_PORTS = [22, 23, 445, 1433, 3389, 5900, 6379, 8080];

/** Of the minute that begins at `start`, as JSON text, oldest first. */
export const firewallMinute = (random: Random, start: number): string[] =>
  Array.from(moments(random, start, busy(start, A_MINUTE)), (time) => passage(random, time));

interface Passage {
  readonly time: number;
  readonly isAllowed: boolean;
  readonly from: string;
  readonly fromPort: number;
  readonly to: string;
  readonly toPort: number;
  readonly bytes: number;
  readonly rule: string;
}

export function firewallLine({ time, isAllowed, from, fromPort, to, toPort, bytes, rule }: Passage): string {
  return `{"_time":${time},"device":"edge-fw-1","action":"${isAllowed ? 'allow' : 'deny'}","protocol":"tcp","src_ip":"${from}","src_port":${fromPort},"dst_ip":"${to}","dst_port":${toPort},"bytes":${bytes},"rule":"${rule}"}`;
}

export function passage(random: Random, time: number): string {
  const fromPort = 1024 + random.below(64_000);
  const to = random.pick(SERVERS);
  const from = clientOf(random);
  if (random.chance(0.12)) {
    const toPort = random.pick(KNOCKED_PORTS);
    return firewallLine({ time, isAllowed: false, from, fromPort, to, toPort, bytes: 60, rule: 'default-deny' });
  }
  const toPort = random.chance(0.9) ? 443 : 80;
  const bytes = 800 + random.below(90_000);
  return firewallLine({ time, isAllowed: true, from, fromPort, to, toPort, bytes, rule: 'web-in' });
}
