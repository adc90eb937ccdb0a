// Logins on the demo's servers.

import type { Dice } from './dice.ts';
import { busy, moments } from './traffic.ts';

const A_MINUTE = 12;

const STAFF = ['kim.cs', 'lee.yh', 'park.ms', 'choi.jw', 'jung.hn', 'deploy', 'backup', 'monitor'];
const HOSTS = ['bastion-1', 'bastion-2', 'db-1', 'batch-1'];

/** Of the minute that begins at `start`, as JSON text, oldest first. */
export const authMinute = (dice: Dice, start: number): string[] =>
  Array.from(moments(dice, start, busy(start, A_MINUTE)), (time) => login(dice, time));

export interface Login {
  readonly time: number;
  readonly host: string;
  readonly user: string;
  readonly ip: string;
  readonly method: 'password' | 'publickey';
  readonly isSuccess: boolean;
}

export function authLine({ time, host, user, ip, method, isSuccess }: Login): string {
  return `{"_time":${time},"host":"${host}","service":"sshd","user":"${user}","src_ip":"${ip}","method":"${method}","result":"${isSuccess ? 'success' : 'failure'}"}`;
}

/** Everybody mistypes now and then. */
export function login(dice: Dice, time: number): string {
  const method = dice.chance(0.7) ? 'publickey' : 'password';
  const isSuccess = method === 'publickey' || !dice.chance(0.08);
  const ip = dice.chance(0.2) ? `fd00:10::${(1 + dice.below(60)).toString(16)}` : `10.0.8.${10 + dice.below(200)}`;
  return authLine({ time, host: dice.pick(HOSTS), user: dice.pick(STAFF), ip, method, isSuccess });
}
