// The access log of the demo's shop.

import type { Random } from '#demo/random.ts';
import { busy, moments } from './traffic.ts';

const A_MINUTE = 64;

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_6) Safari/605.1',
  'Mozilla/5.0 (Linux; Android 16; SM-S938N) Chrome/141.0 Mobile',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Safari/604.1 Mobile',
  'HanbitMall/5.2 (Android 16)',
];
const CRAWLERS = ['Googlebot/2.1', 'Yeti/1.1 (Naver)', 'bingbot/2.0'];
const WORDS = ['겨울코트', '운동화', '무선 이어폰', 'tumbler', 'rain boots', '캠핑 의자'];
const SHOPPERS = ['minji', 'jiho', 'seoyeon', 'doyun', 'hana', 'alex', 'sofia', 'yuna'];

/** Of the minute that begins at `start`, as JSON text, oldest first. */
export const webMinute = (random: Random, start: number): string[] =>
  Array.from(moments(random, start, busy(start, A_MINUTE)), (time) => visit(random, time));

interface Visit {
  readonly time: number;
  readonly ip: string;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly status: number;
  readonly agent: string;
  readonly bytes: number;
  readonly tookMs: number;
  readonly user?: string;
}

export function webLine({ time, ip, method = 'GET', path, status, agent, bytes, tookMs, user }: Visit): string {
  const who = user === undefined ? '' : `,"user":"${user}"`;
  return `{"_time":${time},"host":"shop.hanbit.example","src_ip":"${ip}","method":"${method}","path":"${path}","status":${status},"bytes":${bytes},"took_ms":${tookMs},"agent":"${agent}"${who}}`;
}

export function visit(random: Random, time: number): string {
  const isCrawler = random.chance(0.06);
  const status = statusOf(random);
  const page = pageOf(random);
  return webLine({
    time,
    ip: clientOf(random),
    ...page,
    status,
    agent: isCrawler ? random.pick(CRAWLERS) : random.pick(AGENTS),
    bytes: status === 304 ? 0 : 400 + random.below(60_000),
    tookMs: status >= 500 ? 900 + random.below(4000) : 4 + random.below(180),
    ...(!isCrawler && random.chance(0.3) ? { user: random.pick(SHOPPERS) } : {}),
  });
}

function statusOf(random: Random): number {
  const fate = random.next();
  if (fate < 0.9) return 200;
  if (fate < 0.96) return 304;
  if (fate < 0.985) return 302;
  return fate < 0.995 ? 404 : 500;
}

function pageOf(random: Random): { method?: 'POST'; path: string } {
  const roll = random.next();
  if (roll < 0.35) return { path: `/goods/${1000 + random.below(400)}` };
  if (roll < 0.6) return { path: `/img/${1000 + random.below(400)}.webp` };
  if (roll < 0.75) return { path: `/search?q=${random.pick(WORDS)}` };
  if (roll < 0.9) return { path: '/' };
  return { method: 'POST', path: random.pick(['/cart', '/login', '/order']) };
}

/** A client address, of the range reserved for documentation. */
export function clientOf(random: Random): string {
  if (random.chance(0.25))
    return `2001:db8:${(16 + random.below(200)).toString(16)}::${(1 + random.below(60)).toString(16)}`;
  return `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${1 + random.below(20) + 30 * random.below(5)}`;
}
