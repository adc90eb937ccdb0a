// Random bodies of sender protocols, and broken ones.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';

/** Up to so many. */
const some = <T>(dice: Dice, most: number, make: () => T): T[] => times(dice.below(most + 1), make);

const WORDS = [
  '',
  'a',
  'line',
  'host',
  'level',
  'body',
  '_time',
  '_id',
  'http.route',
  'q"\\\n\t',
  '한국',
  '😀',
  'severity_text',
];
const NUMBERS = ['0', '1', '-1', '9007199254740993', '-9223372036854775808', '9223372036854775807'];
const NANOSECONDS = ['0', '1709280000123456789', '1', '18446744073709551615'];

const word = (dice: Dice): string => (chance(dice, 10) ? pick(dice, WORDS).repeat(dice.below(40)) : pick(dice, WORDS));

/** With repetitions, as logs have them. */
export function randomBytes(dice: Dice, most: number): Buffer {
  const bytes = Buffer.from(some(dice, most, () => dice.below(chance(dice, 2) ? 4 : 256)));
  for (let count = dice.below(10); count > 0 && bytes.length > 1; count -= 1) {
    bytes.copyWithin(dice.below(bytes.length), dice.below(bytes.length), dice.below(bytes.length));
  }
  return bytes;
}

/** Some bytes changed, left out, or put in twice. */
export function mutated(dice: Dice, bytes: Buffer): Buffer {
  let changed = Buffer.from(bytes);
  for (let count = 1 + dice.below(4); count > 0; count -= 1) {
    const at = dice.below(changed.length + 1);
    const length = dice.below(8);
    const kind = dice.below(4);
    if (kind === 0 && at < changed.length) changed[at] = dice.below(256);
    else if (kind === 1) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)]);
    else if (kind === 2) changed = Buffer.concat([changed.subarray(0, at + length), changed.subarray(at)]);
    else changed = changed.subarray(0, at);
  }
  return changed;
}

/** What breaks readers: nesting, lengths that lie, ends of strings, empty messages. */
const HOSTILE = [
  Buffer.from('['.repeat(300)),
  Buffer.from('{"a":'.repeat(150)),
  Buffer.from('\\'),
  Buffer.from('"'),
  Buffer.from('\\ud800'),
  Buffer.from('\n'.repeat(50)),
  Buffer.from('{},'.repeat(50)),
  Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]),
  Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02]),
  Buffer.from([0x0a, 0x00, 0x12, 0x00, 0x0a, 0x00]),
  Buffer.alloc(40, Buffer.from([0xfe, 0x01, 0x00])),
  Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf5]),
];

/** With a hostile piece in place of some bytes, or a part of another body. */
export function spliced(dice: Dice, bytes: Buffer, other: Buffer): Buffer {
  const at = dice.below(bytes.length + 1);
  const from = dice.below(other.length + 1);
  const piece = chance(dice, 2) ? pick(dice, HOSTILE) : other.subarray(from, from + dice.below(60));
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + dice.below(4))]);
}

function anyValue(dice: Dice, depth: number): object {
  const kind = dice.below(depth > 3 ? 5 : 7);
  if (kind === 0) return { stringValue: word(dice) };
  if (kind === 1) return { intValue: pick(dice, NUMBERS) };
  if (kind === 2) return { doubleValue: pick(dice, [0.5, 1e300, -1e-7, 3]) };
  if (kind === 3) return { boolValue: chance(dice, 2) };
  if (kind === 4) return {};
  if (kind === 5) return { arrayValue: { values: some(dice, 3, () => anyValue(dice, depth + 1)) } };
  return { kvlistValue: { values: pairs(dice, depth + 1) } };
}

const pairs = (dice: Dice, depth: number): object[] =>
  some(dice, 4, () => ({ key: word(dice), value: anyValue(dice, depth) }));

const logRecord = (dice: Dice): object => ({
  timeUnixNano: pick(dice, NANOSECONDS),
  observedTimeUnixNano: pick(dice, NANOSECONDS),
  severityNumber: dice.below(30),
  severityText: word(dice),
  ...(!chance(dice, 5) ? { body: anyValue(dice, 0) } : {}),
  attributes: pairs(dice, 0),
  flags: dice.below(3),
  eventName: word(dice),
});

export const otlpMessage = (dice: Dice): object => ({
  resourceLogs: some(dice, 2, () => ({
    resource: { attributes: pairs(dice, 0) },
    scopeLogs: some(dice, 2, () => ({
      scope: { name: word(dice), version: word(dice), attributes: pairs(dice, 0) },
      logRecords: some(dice, 3, () => logRecord(dice)),
    })),
  })),
});

/** The same as JSON and for protobuf. */
export function lokiMessage(dice: Dice): { readonly json: object; readonly protobuf: object } {
  const streams = some(dice, 3, () => ({
    labels: new Map(
      some(dice, 4, () => [pick(dice, ['app', 'level', 'line', '_time', 'vigil_table']), word(dice)] as const),
    ),
    entries: some(dice, 4, () => ({
      seconds: pick(dice, [0, 1, 1709280000, 4_000_000_000]),
      nanos: dice.below(1_000_000_000),
      line: word(dice),
      metadata: new Map(some(dice, 3, () => [word(dice), word(dice)] as const)),
    })),
  }));
  return {
    json: {
      streams: streams.map(({ labels, entries }) => ({
        stream: Object.fromEntries(labels),
        values: entries.map(({ seconds, nanos, line, metadata }) => [
          String(BigInt(seconds) * 1_000_000_000n + BigInt(nanos)),
          line,
          Object.fromEntries(metadata),
        ]),
      })),
    },
    protobuf: {
      streams: streams.map(({ labels, entries }) => ({
        labels: `{${[...labels].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')}}`,
        entries: entries.map(({ seconds, nanos, line, metadata }) => ({
          timestamp: { seconds, nanos },
          line,
          structuredMetadata: [...metadata].map(([name, value]) => ({ name, value })),
        })),
      })),
    },
  };
}

function json(dice: Dice, depth: number): unknown {
  const kind = dice.below(depth > 3 ? 4 : 6);
  if (kind === 0) return word(dice);
  if (kind === 1) return pick(dice, [0, -1, 1.5, 1e300, 123456789012]);
  if (kind === 2) return chance(dice, 2);
  if (kind === 3) return null;
  if (kind === 4) return some(dice, 3, () => json(dice, depth + 1));
  return jsonMap(dice, depth + 1);
}

const jsonMap = (dice: Dice, depth: number): object =>
  Object.fromEntries(some(dice, 4, () => [word(dice), depth < 2 ? json(dice, depth) : word(dice)]));

export const bulkBody = (dice: Dice): string =>
  [1, ...some(dice, 3, () => 1)]
    .map(() => {
      const { _time, ...document } = jsonMap(dice, 0) as Record<string, unknown>; // A time may be none.
      const id = chance(dice, 2) ? { _id: word(dice) } : {};
      return `${JSON.stringify({ [pick(dice, ['create', 'index'])]: { _index: 'web', ...id } })}\n${JSON.stringify(document)}\n`;
    })
    .join('');

export function eventsBody(dice: Dice): string {
  const events = [1, ...some(dice, 3, () => 1)].map(() =>
    JSON.stringify({
      time: pick(dice, [0, 1709280000.123, '1709280000.5', null]),
      host: word(dice),
      event: chance(dice, 2) ? jsonMap(dice, 0) : 'hello',
      fields: jsonMap(dice, 2),
    }),
  );
  return chance(dice, 3) ? `[${events.join(',')}]` : events.join(pick(dice, ['', ' ', '\n', '\r\n\r\n']));
}
