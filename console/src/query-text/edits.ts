// Changes of a query text by clicks: conditions that rows must meet, and the text of a live tail.

import { liveDriver } from '#contract/live-driver.ts';
import { type CommandText, commandsOf } from './command-texts.ts';
import { conditionText, exclusionText } from './literals.ts';
import { type CommandKinds, filterPartOf } from './parts.ts';

export interface FieldValue {
  readonly field: string;
  readonly value: unknown;
}

export type FilterKind = 'only' | 'without';

/** Where the condition is added: among the filters of records, or behind everything, on the rows of the result. */
export type FilterTarget = 'records' | 'result';

/** The text with one more condition; the same text where a condition cannot name the value, or stands there already. */
export function withFilter(
  text: string,
  kind: FilterKind,
  { field, value }: FieldValue,
  options: FilterOptions,
): string {
  const own = textOf(kind, { field, value });
  const opposite = textOf(kind === 'only' ? 'without' : 'only', { field, value });
  if (own === undefined || opposite === undefined) return text;
  const commandTexts = commandsOf(text);
  const isThere = commandTexts.some((commandText) => text.slice(commandText.begin, commandText.end) === own);
  if (isThere) return text;
  const undone = commandTexts.find((commandText) => text.slice(commandText.begin, commandText.end) === opposite);
  if (undone) return text.slice(0, undone.begin) + own + text.slice(undone.end);
  const end = positionOf(text, commandTexts, options);
  return end === undefined ? text : `${text.slice(0, end)} | ${own}${text.slice(end)}`;
}

interface FilterOptions {
  readonly kinds: CommandKinds;
  readonly target: FilterTarget;
}

const CONDITIONS = { only: conditionText, without: exclusionText };

function textOf(kind: FilterKind, { field, value }: FieldValue): string | undefined {
  const condition = CONDITIONS[kind](field, value);
  return condition === undefined ? undefined : `search ${condition}`;
}

function positionOf(
  text: string,
  commandTexts: readonly CommandText[],
  { kinds, target }: FilterOptions,
): number | undefined {
  const part = filterPartOf(text, kinds);
  if (target === 'records' && part) return part.end;
  // Rows do not pass a sink.
  return commandTexts.findLast(({ name }) => kinds.get(name) !== 'sink')?.end;
}

/** The text that gives records as they arrive; undefined where the text reads no records or computes over all of them. */
export function liveText(text: string, kinds: CommandKinds, seconds: number): string | undefined {
  const part = filterPartOf(text, kinds);
  if (!part?.isWhole) return undefined;
  const { begin, end } = part.driver;
  return `${text.slice(0, begin)}${liveDriver(text.slice(begin, end), seconds)}${text.slice(end)}`;
}

/** Whether two texts give the same columns: they differ in their conditions alone. */
export const hasSameShape = (one: string, other: string): boolean => shapeOf(one) === shapeOf(other);

const shapeOf = (text: string): string =>
  commandsOf(text)
    .filter(({ name }) => name !== 'search')
    .map(({ begin, end }) => text.slice(begin, end))
    .join(' | ');
