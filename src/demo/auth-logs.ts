// Logins on the demo's servers.

import type { Dice } from './dice.ts';
import { busy, moments } from './traffic.ts';

const A_MINUTE = 10;

const STAFF = ['kim.cs', 'lee.yh', 'park.ms', 'choi.jw', 'jung.hn', 'deploy', 'backup', 'monitor'];
const HOSTS = ['bastion-1', 'bastion-2', 'db-1', 'batch-1'];

/** Of the minute that begins at `start`, as text, oldest first. */
export const authMinute = (dice: Dice, start: number): string[] =>
  Array.from(moments(dice, start, busy(start, A_MINUTE)), (time) => login(dice, time));

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

/** Everybody mistypes now and then. */
export function login(dice: Dice, time: number): string {
  const method = dice.chance(0.7) ? 'publickey' : 'password';
  const isSuccess = method === 'publickey' || !dice.chance(0.08);
  const ip = dice.chance(0.2) ? `fd00:10::${(1 + dice.below(60)).toString(16)}` : `10.0.8.${10 + dice.below(200)}`;
  return authLine({ time, host: dice.pick(HOSTS), user: dice.pick(STAFF), ip, port: portOf(dice), method, isSuccess });
}

const portOf = (dice: Dice): number => 32_768 + dice.below(28_000);
