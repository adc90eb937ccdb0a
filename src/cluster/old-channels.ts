// The three channels of versions before the bus. Until version 0.9.0 is released nodes of such a version may be beside this one, so
// every message is sent there, too, and what they send is read. A sender that speaks the bus is known by its name and left out here.
// This file goes with 0.9.0.

import type { Messages, Notice, Topic } from './bus.ts';
import { fittingLines } from './payloads.ts';

export const OLD_CHANGES = 'vigil_changes';
const NUMBERS = 'vigil_numbers';
const ARRIVALS = 'vigil_arrivals';
export const OLD_CHANNELS = [OLD_CHANGES, NUMBERS, ARRIVALS];

/** How names of processes begin that send on the bus, too. Earlier versions compare whole names. */
export const SPEAKS_BUS = 'bus-';
/** The payload of a commit that was told on the bus, too. Earlier versions do not read it. */
export const TOLD_ON_BUS = 'bus';

const NUMBER_TOPICS = ['requests', 'refused-keys', 'arrivals', 'uses'] as const;

type NumberTopic = (typeof NUMBER_TOPICS)[number];

export function oldNotices(topic: Topic, from: string, messages: readonly unknown[]): readonly Notice[] {
  if (isNumbers(topic)) {
    // A topic names the type of its messages.
    const pairs = (messages as Messages[NumberTopic][]).map(({ key, value }) => `${value} ${key}`);
    return [{ channel: NUMBERS, payload: [from, topic, ...pairs].join('\n') }];
  }
  if (topic === 'changes') return [];
  const lines = messages.map((message) =>
    topic === 'open-window'
      ? windowLine(from, message as Messages['open-window'])
      : storedLine(from, message as Messages['stored-records']),
  );
  const fitting = [...fittingLines('', lines, (line) => line)];
  return fitting.map((some) => ({ channel: ARRIVALS, payload: some.join('\n') }));
}

const windowLine = (from: string, { tableId, isLost }: Messages['open-window']): string =>
  `${isLost ? 'again' : 'ask'} ${from} ${tableId}`;

const storedLine = (from: string, { tableId, node, ...records }: Messages['stored-records']): string => {
  const what = 'upload' in records ? `upload ${records.upload}` : `rows ${records.firstId} ${records.rows}`;
  return `came ${from} ${tableId} ${node} ${what}`;
};

interface OldMessage {
  readonly topic: Topic;
  readonly from: string;
  readonly message: unknown;
}

/** What a process of an earlier version has sent. */
export function fromOldChannel(channel: string, payload: string): readonly OldMessage[] {
  if (channel === OLD_CHANGES) return payload === TOLD_ON_BUS ? [] : [{ topic: 'changes', from: '', message: null }];
  const found = channel === NUMBERS ? numbersIn(payload) : payload.split('\n').flatMap((line) => arrivalIn(line) ?? []);
  return found.filter(({ from }) => !from.startsWith(SPEAKS_BUS));
}

function numbersIn(payload: string): readonly OldMessage[] {
  const [from = '', topic = '', ...pairs] = payload.split('\n');
  if (!isNumbers(topic)) return [];
  return pairs.flatMap((pair) => {
    const [, value = '', key = ''] = /^(\d+) (.+)$/.exec(pair) ?? [];
    return key === '' ? [] : [{ topic, from, message: { key, value: Number(value) } }];
  });
}

function arrivalIn(line: string): OldMessage | undefined {
  const [verb, from = '', table, node = '', kind, first, rows] = line.split(' ');
  const tableId = Number(table);
  if (verb === 'ask' || verb === 'again')
    return { topic: 'open-window', from, message: { tableId, isLost: verb === 'again' } };
  if (kind === 'rows')
    return { topic: 'stored-records', from, message: { tableId, node, firstId: Number(first), rows: Number(rows) } };
  if (kind === 'upload') return { topic: 'stored-records', from, message: { tableId, node, upload: Number(first) } };
  return undefined;
}

const isNumbers = (topic: string): topic is NumberTopic => (NUMBER_TOPICS as readonly string[]).includes(topic);
