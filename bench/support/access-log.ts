// The access log of a shop, the same at every run: about 350 bytes and twelve fields a record, over five days, every
// record at a millisecond of its own, so that the newest hundred are the same hundred for everybody.

import { type Chance, chance } from './numbers.ts';
import { writeLines } from './write-lines.ts';

const SEED = 20_260_302;
const BEGINNING = Date.UTC(2026, 2, 2);
const DAYS = 5;
const DAY_MS = 86_400_000;
const CLIENTS = 60_000;
const PRODUCTS = 20_000;

const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT'] as const;
const HOSTS = ['www.shop.example', 'www.shop.example', 'api.shop.example', 'static.shop.example'] as const;
const STATUSES = [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 304, 304, 301, 404, 404, 403, 401] as const;
const PAGES = [
  '/products',
  '/reviews/of',
  '/basket/add',
  '/images/large',
  '/static/js/bundle',
  '/api/v2/stock',
] as const;
const WORDS = ['lamp', 'chair', 'kettle', 'desk', 'ladder', 'blanket', 'mirror', 'drawer', 'shelf', 'curtain'] as const;
const REFERERS = [
  ...(['https://www.shop.example/', 'https://search.example/?q=', 'https://www.shop.example/p/'] as const),
  ...(['https://news.example/offers/', '-'] as const),
] as const;
const SYSTEMS = [
  ...(['X11; Linux x86_64', 'Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7'] as const),
  ...(['Linux; Android 14; SM-S918N', 'iPhone; CPU iPhone OS 17_4 like Mac OS X'] as const),
] as const;

/** Gives the number of bytes written. */
export function writeAccessLog(file: string, records: number, tell: (done: number) => void): number {
  const pick = chance(SEED);
  const step = (DAYS * DAY_MS) / records;
  // Within its own step, so that times only ever grow.
  const line = (at: number) => lineOf(BEGINNING + Math.floor(at * step) + pick.below(Math.floor(step)), pick);
  return writeLines({ file, count: records, line, tell });
}

function lineOf(time: number, pick: Chance): string {
  const status = pick.below(200) === 0 ? 500 : pick.oneOf(STATUSES);
  const version = 110 + pick.below(16);
  const agent = `Mozilla/5.0 (${pick.oneOf(SYSTEMS)}) AppleWebKit/537.36 Chrome/${version}.0.0.0`;
  // Values hold nothing that JSON would escape.
  return (
    `{"_time":${time},"src_ip":"${addressOf(seldom(pick, CLIENTS))}","port":${1024 + pick.below(64_512)},` +
    `"method":"${pick.oneOf(METHODS)}","host":"${pick.oneOf(HOSTS)}","path":"${pathOf(pick)}","status":${status},` +
    `"bytes":${seldom(pick, 250_000)},"duration_ms":${(seldom(pick, 2_000_000) / 1000 + 0.0005).toFixed(4)},` +
    `"trace":"${word(pick)}${word(pick)}","referer":"${refererOf(pick)}","user_agent":"${agent}"}\n`
  );
}

/** Thirty-two bits in hexadecimal. */
const word = (pick: Chance): string =>
  pick
    .below(2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** Small numbers are frequent, large ones seldom, as with clients, pages and sizes. */
function seldom(pick: Chance, bound: number): number {
  const share = pick.below(2 ** 20) / 2 ** 20;
  return Math.floor(share * share * share * bound);
}

const addressOf = (client: number): string => {
  const mixed = Math.imul(client + 1, 0x9e3779b1) >>> 0;
  return `${1 + (mixed % 222)}.${(mixed >>> 8) & 255}.${(mixed >>> 16) & 255}.${mixed >>> 24}`;
};

const pathOf = (pick: Chance): string => `${pick.oneOf(PAGES)}/${pick.oneOf(WORDS)}-${seldom(pick, PRODUCTS)}`;

function refererOf(pick: Chance): string {
  const referer = pick.oneOf(REFERERS);
  return referer === '-' ? referer : `${referer}${pick.oneOf(WORDS)}-${pick.below(500)}`;
}
