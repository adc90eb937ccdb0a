// Logins on the demo's servers.

import type { Random } from '#demo/random.ts';
import { busy, moments } from './traffic.ts';

const A_MINUTE = 10;

const STAFF = ['kim.cs', 'lee.yh', 'park.ms', 'choi.jw', 'jung.hn', 'deploy', 'backup', 'monitor'];
const HOSTS = ['bastion-1', 'bastion-2', 'db-1', 'batch-1'];

/** Of the minute that begins at `start`, as text, oldest first. */
export const authMinute = (random: Random, start: number): string[] =>
  Array.from(moments(random, start, busy(start, A_MINUTE)), (time) => login(random, time));

interface Login {
  readonly time: number;
  readonly host: string;
  readonly user: string;
  readonly ip: string;
  readonly port: number;
  readonly method: 'password' | 'publickey';
  readonly isSuccess: boolean;
}

/** As a server would send it by syslog (RFC 5424). */
export function authLine({ time, host, user, ip, port, method, isSuccess }: Login): string {
  const outcome = isSuccess ? 'Accepted' : 'Failed';
  return `<86>1 ${stampOf(time)} ${host} sshd ${port % 3000} - - ${outcome} ${method} for ${user} from ${ip} port ${port} ssh2`;
}

const stampOf = (time: number): string =>
  Temporal.Instant.fromEpochMilliseconds(time).toString({ smallestUnit: 'millisecond' });

/** Some logins fail. */
export function login(random: Random, time: number): string {
  const method = random.chance(0.7) ? 'publickey' : 'password';
  const isSuccess = method === 'publickey' || !random.chance(0.08);
  const ip = random.chance(0.2)
    ? `fd00:10::${(1 + random.below(60)).toString(16)}`
    : `10.0.8.${10 + random.below(200)}`;
  return authLine({
    time,
    host: random.pick(HOSTS),
    user: random.pick(STAFF),
    ip,
    port: portOf(random),
    method,
    isSuccess,
  });
}

const portOf = (random: Random): number => 32_768 + random.below(28_000);
