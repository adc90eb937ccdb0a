// The log of the services of a shop, the same at every run, and as ragged as such logs are: records of four shapes (requests, jobs,
// containers, logins), time texts of several forms over a day, fields that some records lack or that appear halfway, a third of the
// fields of mixed type, nulls, members `_id` that the service drops, objects nested three levels deep, Korean, and records that come
// late.

import { KOREAN_MESSAGES, KOREAN_USERS, MESSAGES, PHRASE, RARE_WORD, REGEX_MESSAGE } from './application-texts.ts';
import { type Chance, chance } from './numbers.ts';
import { writeLines } from './write-lines.ts';

const SEED = 20_260_310;
const BEGINNING = Date.UTC(2026, 2, 10);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Benches push the log in batches of multiples of these. */
const BATCH = 1_000;
const SERVICES = 50;
const HOSTS = 200;
const CLIENTS = 256_000;
const USERS = 20_000;
const ORDERS = 400_000;

const LEVELS = ['INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'DEBUG', 'DEBUG', 'WARN', 'ERROR'] as const;
const STATUSES = [200, 200, 200, 200, 200, 200, 201, 204, 302, 304, 400, 401, 403, 404, 404, 503] as const;
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'] as const;
const RESOURCES = ['orders', 'carts', 'payments', 'users', 'items', 'shipments', 'coupons', 'sessions'] as const;
const ZONES = ['a', 'b', 'c'] as const;
const NAMESPACES = ['shop', 'shop', 'shop', 'payments', 'search', 'kube-system', '배송'] as const;
const TIERS = ['front', 'back', 'data'] as const;
const EVENT_IDS = [4624, 4624, 4624, 4625, 4634, 4648, 4672] as const;
const SEVERITIES = ['warning', 'error', 'critical'] as const;
const TAGS = ['canary', 'batch', 'mobile', 'internal', '점검'] as const;

/** DuckDB's types of the fields for a reader of the file; members that the service drops are left out. */
export const APPLICATION_COLUMNS = {
  _time: 'TIMESTAMPTZ',
  level: 'VARCHAR',
  service: 'VARCHAR',
  host: 'VARCHAR',
  status: 'BIGINT',
  duration_ms: 'DOUBLE',
  src_ip: 'VARCHAR',
  user: 'VARCHAR',
  path: 'VARCHAR',
  bytes: 'BIGINT',
  retry: 'VARCHAR',
  code: 'VARCHAR',
  release: 'VARCHAR',
  severity: 'VARCHAR',
  EventID: 'BIGINT',
  kubernetes: 'JSON',
  event: 'JSON',
  http: 'JSON',
  labels: 'JSON',
  tags: 'JSON',
  message: 'VARCHAR',
};

/** Gives the number of bytes written. */
export function writeApplicationLog(file: string, records: number, tell: (done: number) => void): number {
  const pick = chance(SEED);
  const step = DAY_MS / records;
  const line = (at: number) =>
    lineOf(BEGINNING + Math.floor(at * step), { isFirst: at % BATCH === 0, isLate: at >= records / 2 }, pick);
  return writeLines({ file, count: records, line, tell });
}

interface Position {
  /** Of a batch: whichever batch comes first, the first value of a field has the same type. */
  readonly isFirst: boolean;
  /** In the second half of the log, when a new version of the services runs. */
  readonly isLate: boolean;
}

/** Only the message holds anything that JSON would escape. */
function lineOf(now: number, { isFirst, isLate }: Position, pick: Chance): string {
  const level = pick.oneOf(LEVELS);
  const service = seldom(pick, SERVICES);
  const members = isFirst ? firstMembers() : membersOf(pick);
  return (
    `{${isOneIn(4, pick) ? `"_id":"${word(pick)}${word(pick)}",` : ''}"_time":"${timeText(now - lateness(pick), pick)}",` +
    `"level":"${level}","service":"svc-${String(service).padStart(2, '0')}","host":"node-${pick.below(HOSTS)}.shop.example",` +
    `${members}${isLate ? `"release":"2.${pick.below(9)}",` : ''}${labelMembers(service, pick)}` +
    `"message":${JSON.stringify(messageOf(level, pick))}}\n`
  );
}

/** Numbers where others have texts. */
const firstMembers = (): string =>
  `"status":200,"duration_ms":1.5,"bytes":100,"code":0,"retry":false,"severity":4,"EventID":4624,`;

function membersOf(pick: Chance): string {
  const shape = pick.below(20);
  if (shape < 12) return requestMembers(pick);
  if (shape < 15) return jobMembers(pick);
  return shape < 18 ? containerMembers(pick) : loginMembers(pick);
}

/** Of a container, in the form of the collector that follows it. */
function containerMembers(pick: Chance): string {
  const app = pick.oneOf(RESOURCES);
  const labels = `{"app":"${app}","tier":"${pick.oneOf(TIERS)}"${isOneIn(3, pick) ? `,"build":${pick.below(900)}` : ''}}`;
  const pod = `{"name":"${app}-${pick.below(40)}","labels":${labels},"restarts":${pick.below(4)}}`;
  return `"severity":${severityOf(pick)},"kubernetes":{"namespace":"${pick.oneOf(NAMESPACES)}","pod":${pod}},`;
}

/** Syslog's number, or its name. */
const severityOf = (pick: Chance): string => (isOneIn(3, pick) ? `"${pick.oneOf(SEVERITIES)}"` : String(pick.below(8)));

/** Of a domain controller, whose collectors write the number of the event as a number or as a text. */
function loginMembers(pick: Chance): string {
  const user = `user-${seldom(pick, USERS)}`;
  const data = `{"TargetUserName":"${user}","IpAddress":"${addressOf(seldom(pick, CLIENTS))}","LogonType":${pick.below(11)}}`;
  const event = `{"provider":"Microsoft-Windows-Security-Auditing","data":${data}}`;
  return `"EventID":${mixed(String(pick.oneOf(EVENT_IDS)), 3, pick)},"user":"${user}","event":${event},`;
}

/** A number, in one of so many records as a text. */
const mixed = (number: string, oneOf: number, pick: Chance): string => (isOneIn(oneOf, pick) ? `"${number}"` : number);

function requestMembers(pick: Chance): string {
  const user = userMember(pick);
  const path = `/api/v${1 + pick.below(2)}/${pick.oneOf(RESOURCES)}/${seldom(pick, ORDERS)}`;
  const http = isOneIn(3, pick)
    ? `"http":{"method":"${pick.oneOf(METHODS)}","version":"1.1","agent":{"name":"app","build":${pick.below(900)}}},`
    : '';
  return (
    `"status":${mixed(String(isOneIn(150, pick) ? 500 : pick.oneOf(STATUSES)), 3, pick)},"duration_ms":${durationOf(pick)},` +
    `"src_ip":"${addressOf(seldom(pick, CLIENTS))}",${user}"path":"${path}",` +
    `${isOneIn(2, pick) ? `"bytes":${mixed(String(seldom(pick, 90_000)), 5, pick)},` : ''}${http}`
  );
}

/** Jobs have no client, and a code that is a number or, now and then, a text. */
function jobMembers(pick: Chance): string {
  const code = isOneIn(9, pick) ? `"E${1000 + pick.below(40)}"` : String(pick.below(40));
  return `"duration_ms":${durationOf(pick)},"code":${code},${isOneIn(5, pick) ? `"retry":${isOneIn(3, pick) ? '"yes"' : isOneIn(2, pick)},` : ''}`;
}

function userMember(pick: Chance): string {
  if (isOneIn(5, pick)) return isOneIn(4, pick) ? '"user":null,' : '';
  const at = seldom(pick, USERS);
  return isOneIn(20, pick) ? `"user":"${pick.oneOf(KOREAN_USERS)}",` : `"user":"user-${at}",`;
}

function labelMembers(service: number, pick: Chance): string {
  const labels = isOneIn(4, pick) ? `"labels":{"team":"team-${service % 7}","zone":"${pick.oneOf(ZONES)}"},` : '';
  return isOneIn(12, pick) ? `${labels}"tags":["${pick.oneOf(TAGS)}","${pick.oneOf(TAGS)}"],` : labels;
}

/** Two of five are whole, as a service writes them that rounds. */
const durationOf = (pick: Chance): string =>
  mixed(pick.below(5) < 2 ? String(seldom(pick, 4000)) : (seldom(pick, 4_000_000) / 1000).toFixed(3), 4, pick);

/** Each form but the first is written by some of the services alone; all name the moment to a millisecond at most. */
function timeText(time: number, pick: Chance): string {
  const form = pick.below(20);
  if (form === 0) return `${new Date(time).toISOString().slice(0, 19)}Z`;
  if (form === 1) return `${new Date(time + 9 * HOUR_MS).toISOString().slice(0, 23)}+09:00`;
  if (form === 2) return `${new Date(time).toISOString().slice(0, 23).replace('T', ' ')}+0000`;
  return new Date(time).toISOString();
}

/** One in fifty comes minutes late, one in a thousand up to half a day. */
function lateness(pick: Chance): number {
  const of = pick.below(1000);
  if (of === 0) return pick.below(12 * HOUR_MS);
  return of <= 20 ? pick.below(HOUR_MS / 4) : 0;
}

function messageOf(level: string, pick: Chance): string {
  const kind = pick.below(3300);
  const details = `${word(pick)} on node-${pick.below(HOSTS)} after ${pick.below(9000)} ms`;
  if (kind < 10) return `upstream ${RARE_WORD} while reading answer of ${details}`;
  if (kind < 50) return `${isOneIn(2, pick) ? PHRASE : capitalized(PHRASE)} for request ${details}`;
  if (kind < 90) return `${REGEX_MESSAGE} ${1 + pick.below(5)} of ${3 + pick.below(5)} for ${details}`;
  if (kind < 400) return `${pick.oneOf(KOREAN_MESSAGES)} (주문 ${seldom(pick, ORDERS)}, ${details})`;
  if (level === 'ERROR') return `Error: "${pick.oneOf(MESSAGES)}"\n\tat handler.ts:${pick.below(400)}\n\tin ${details}`;
  return `${pick.oneOf(MESSAGES)} ${details}`;
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const isOneIn = (count: number, pick: Chance): boolean => pick.below(count) === 0;

/** Thirty-two bits in hexadecimal. */
const word = (pick: Chance): string =>
  pick
    .below(2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** Small numbers are frequent, large ones seldom, as with clients, users and durations. */
function seldom(pick: Chance, bound: number): number {
  const share = pick.below(2 ** 20) / 2 ** 20;
  return Math.floor(share * share * bound);
}

const addressOf = (client: number): string => `10.${(client >>> 16) & 255}.${(client >>> 8) & 255}.${client & 255}`;
