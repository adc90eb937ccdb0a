// Messages of syslog: RFC 5424, and RFC 3164 as devices really send it. What has a priority but no time is taken for a
// message as a whole, as RFC 3164 has it (4.3.3); files have times but no priorities.

import type { Value } from '#query/model/values.ts';
import { structuredData } from './syslog-data.ts';
import { type FoundTime, fullTime, type ShortTime } from './syslog-times.ts';

export interface SyslogMessage {
  readonly fields: ReadonlyMap<string, Value>;
  /** The moment that it names, in epoch milliseconds. */
  readonly time?: number | undefined;
}

/** Fields of the service, which no message has. */
const RESERVED = ['_id', '_time', '_table'];

const FACILITIES = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp', 'ntp'],
  ...['audit', 'alert', 'clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
];
const SEVERITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];

type Texts = readonly (readonly [name: string, value: Value | undefined])[];

/** `at` is when it arrived, in epoch milliseconds: a time without a year is near it. Undefined where it is no message. */
export function syslogMessage(line: string, at: number, shortTime: ShortTime): SyslogMessage | undefined {
  const [mark = '', digits] = PRIORITY.exec(line) ?? [];
  const priority = digits === undefined ? undefined : Number(digits);
  if (priority !== undefined && priority > MAX_PRIORITY) return undefined;
  const from = mark.length;
  if (priority !== undefined && line.startsWith(VERSION, from)) return modern(line, from, priority);
  const moment = shortTime(line, from, at) ?? fullTime(line, from);
  return traditional(line, { from, priority, moment });
}

const PRIORITY = /^<(0|[1-9]\d{0,2})>/;
const MAX_PRIORITY = 191;
const VERSION = '1 ';
const NIL = '-';

/** RFC 5424: five words, structured data and a message. */
function modern(line: string, from: number, priority: number): SyslogMessage | undefined {
  const begin = from + VERSION.length;
  const found = wordsAt(line, begin, 5);
  if (!found) return undefined;
  const [time, host, app, pid, msgid] = found.words;
  const moment = time === NIL ? undefined : fullTime(line, begin);
  if (time !== NIL && moment?.end !== begin + (time ?? '').length) return undefined;
  const data = structuredData(line, found.end);
  if (!data || (data.end < line.length && line.charAt(data.end) !== ' ')) return undefined;
  const msg = line.slice(data.end + 1);
  const texts: Texts = [
    ['host', unlessNil(host)],
    ['app', unlessNil(app)],
    ['pid', unlessNil(pid)],
    ['msgid', unlessNil(msgid)],
    ['msg', msg.startsWith('\ufeff') ? msg.slice(1) : msg],
  ];
  const fields = fieldsOf(priority, texts);
  for (const [name, value] of data.fields) if (!fields.has(name) && !RESERVED.includes(name)) fields.set(name, value);
  return { fields, time: moment?.time };
}

const unlessNil = (word: string | undefined): string | undefined => (word === NIL ? undefined : word);

/** So many words that each end in a blank, none of them empty. */
function wordsAt(line: string, from: number, count: number): { words: string[]; end: number } | undefined {
  const words: string[] = [];
  let at = from;
  while (words.length < count) {
    const blank = line.indexOf(' ', at);
    if (blank <= at) return undefined;
    words.push(line.slice(at, blank));
    at = blank + 1;
  }
  return { words, end: at };
}

interface Position {
  readonly from: number;
  readonly priority: number | undefined;
  /** What it begins with. */
  readonly moment: FoundTime | undefined;
}

/** RFC 3164: a time, the host, the tag of the sender, and the message. */
function traditional(line: string, { from, priority, moment }: Position): SyslogMessage | undefined {
  const behind = moment && BEHIND_TIME.exec(line.slice(moment.end, moment.end + 2));
  if (!moment || !behind) {
    return priority === undefined ? undefined : { fields: fieldsOf(priority, [['msg', line.slice(from)]]) };
  }
  return { fields: fieldsOf(priority, spoken(line.slice(moment.end + behind[0].length))), time: moment.time };
}

/** Some devices write a colon behind the time. */
const BEHIND_TIME = /^:?(?: |$)/;
/** The tag of the sender; without a host before it the colon must be followed by a blank, because an address may have colons. */
const SPEAKER = /^([^\s:[\]]{1,255})(?:\[([^\s\]]{0,255})\])?:/;
const SPEAKER_ALONE = /^([^\s:[\]]{1,255})(?:\[([^\s\]]{0,255})\])?:(?= |$)/;

function spoken(text: string): Texts {
  const blank = text.indexOf(' ');
  const isHostless = blank === -1 || SPEAKER_ALONE.test(text);
  const host = isHostless ? undefined : text.slice(0, blank);
  const rest = isHostless ? text : text.slice(blank + 1);
  const [tag = '', app, pid] = SPEAKER.exec(rest) ?? [];
  const msg = rest.slice(tag.length);
  return [
    ['host', host],
    ['app', app],
    ['pid', pid],
    ['msg', tag !== '' && msg.startsWith(' ') ? msg.slice(1) : msg],
  ];
}

/** What is empty is no field. */
function fieldsOf(priority: number | undefined, texts: Texts): Map<string, Value> {
  const fields = new Map<string, Value>();
  if (priority !== undefined) {
    const facility = priority >> 3;
    const severity = priority & 7;
    fields.set('facility', BigInt(facility));
    fields.set('severity', BigInt(severity));
    fields.set('facility_name', FACILITIES[facility] ?? '');
    fields.set('severity_name', SEVERITIES[severity] ?? '');
  }
  for (const [name, value] of texts) if (value !== undefined && value !== '') fields.set(name, value);
  return fields;
}
