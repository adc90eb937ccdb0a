// Attacks on the demo's shop. Each began a fixed number of minutes before the demo is created, so that the rules always find
// the same.

import { authLine } from './auth-logs.ts';
import { firewallLine } from './firewall-logs.ts';
import type { SourceName } from './sources.ts';
import { MINUTE_MS } from './traffic.ts';
import { webLine } from './web-logs.ts';

interface Attack {
  readonly source: SourceName;
  /** Minutes between its beginning and the creation of the demo. */
  readonly ago: number;
  readonly minutes: number;
  readonly aMinute: number;
  /** The n-th of its records, from 0. */
  line(n: number, time: number): string;
}

const BRUTE_FORCER = '203.0.113.57';
const PORT_SCANNER = '198.51.100.23';
const WEB_SCANNER = '203.0.113.145';

const GUESSED_USERS = ['root', 'admin', 'oracle', 'test', 'ubuntu', 'backup', 'postgres', 'ftp'];
const PROBED_PATHS = [
  '/wp-login.php',
  '/.env',
  '/phpmyadmin/',
  '/.git/config',
  '/server-status',
  '/actuator/env',
  '/backup.zip',
  '/admin/login',
];
const INJECTION = "/goods?id=7' union select login, password from users--";
const INJECTIONS_EVERY = 12;

const ATTACKS: readonly Attack[] = [
  {
    source: 'firewall',
    ago: 420,
    minutes: 1,
    aMinute: 3,
    line: (n, time) => outflow(time, n),
  },
  {
    source: 'firewall',
    ago: 300,
    minutes: 4,
    aMinute: 256,
    line: (n, time) => knock(time, PORT_SCANNER, n + 1),
  },
  {
    source: 'auth',
    ago: 200,
    minutes: 12,
    aMinute: 40,
    line: (n, time) => guess(time, BRUTE_FORCER, n),
  },
  {
    source: 'auth',
    ago: 187,
    minutes: 1,
    aMinute: 1,
    line: (_, time) =>
      authLine({
        time,
        host: 'bastion-1',
        user: 'backup',
        ip: BRUTE_FORCER,
        port: 41_480,
        method: 'password',
        isSuccess: true,
      }),
  },
  {
    source: 'web',
    ago: 50,
    minutes: 10,
    aMinute: 60,
    line: (n, time) => probe(time, WEB_SCANNER, n),
  },
  {
    source: 'auth',
    ago: 35,
    minutes: 5,
    aMinute: 18,
    line: (n, time) => guess(time, '2001:db8:bad::17', n),
  },
];

/** The records of attacks in the minute that begins at `start`, `ago` minutes before the creation of the demo. */
export function attackMinute(source: SourceName, ago: number, start: number): string[] {
  return ATTACKS.filter((attack) => attack.source === source).flatMap((attack) => {
    const minute = attack.ago - ago;
    if (minute < 0 || minute >= attack.minutes) return [];
    const { aMinute } = attack;
    return Array.from({ length: aMinute }, (_, n) =>
      attack.line(minute * aMinute + n, start + Math.floor((n * MINUTE_MS) / aMinute)),
    );
  });
}

export const guess = (time: number, ip: string, n: number): string =>
  authLine({
    time,
    host: 'bastion-1',
    user: GUESSED_USERS[n % GUESSED_USERS.length] ?? 'root',
    ip,
    port: 41_000 + (n % 1000),
    method: 'password',
    isSuccess: false,
  });

export function probe(time: number, ip: string, n: number): string {
  const isInjection = n % INJECTIONS_EVERY === INJECTIONS_EVERY - 1;
  const path = isInjection ? INJECTION : `${PROBED_PATHS[n % PROBED_PATHS.length]}?n=${n}`;
  const status = isInjection ? 400 : 404;
  return webLine({ time, ip, path, status, agent: isInjection ? 'sqlmap/1.9' : 'zgrab/0.x', bytes: 512, tookMs: 9 });
}

const knock = (time: number, from: string, toPort: number): string =>
  firewallLine({
    time,
    isAllowed: false,
    from,
    fromPort: 40_000 + (toPort % 20_000),
    to: '10.0.2.15',
    toPort,
    bytes: 60,
    rule: 'default-deny',
  });

const outflow = (time: number, n: number): string =>
  firewallLine({
    time,
    isAllowed: true,
    from: '10.0.2.31',
    fromPort: 51_000 + n,
    to: '203.0.113.85',
    toPort: 443,
    bytes: 1_400_000_000 + n * 1_000_000,
    rule: 'backup-out',
  });
