// The text form of procedures and schedules: head lines up to the first blank line, then the query.

import type { Translator } from '#cli/kit/translator.ts';
import type { ProcedureType } from '#query/model/values.ts';
import { UnreadableObject } from './finding.ts';

/** Words of a head line, in both languages. */
const HEADS = {
  parameters: ['파라미터', 'parameters'],
  description: ['설명', 'description'],
  schedule: ['실행 주기', 'schedule'],
  alarm: ['경보 사용', 'alarm'],
} as const;

export type HeadKey = keyof typeof HEADS;

export interface HeadLine {
  readonly value: string;
  readonly line: number;
}

export interface ExportedText {
  readonly head: Readonly<Partial<Record<HeadKey, HeadLine>>>;
  readonly query: string;
  /** Of the first line of the query in its file, from 1. */
  readonly line: number;
}

export function readTextForm(text: string, known: readonly HeadKey[], { text: say }: Translator): ExportedText {
  const lines = text.split(/\r?\n/);
  const blank = lines.findIndex((line) => line.trim() === '');
  if (blank === -1) throw malformedHead(lines.length, say('migrate-head-open'));
  const head: Partial<Record<HeadKey, HeadLine>> = {};
  let open: HeadKey | undefined;
  for (const [index, line] of lines.slice(0, blank).entries()) {
    const found = headIn(line, known);
    if (found && head[found.key]) throw malformedHead(index + 1, say('migrate-head-twice', { line }));
    if (found) head[found.key] = { value: found.value, line: index + 1 };
    const last = open && head[open];
    if (!found && (!open || !last)) throw malformedHead(index + 1, say('migrate-head-line', { line }));
    if (!found && open && last) head[open] = { ...last, value: `${last.value}\n${line.trim()}` };
    open = found?.key ?? open;
  }
  const begin = lines.findIndex((line, index) => index > blank && line.trim() !== '');
  const from = begin === -1 ? blank + 1 : begin;
  return { head, query: lines.slice(from).join('\n').trimEnd(), line: from + 1 };
}

const malformedHead = (line: number, message: string) =>
  new UnreadableObject({ code: 'malformed-head', line, message });

function headIn(
  line: string,
  known: readonly HeadKey[],
): { readonly key: HeadKey; readonly value: string } | undefined {
  const colon = line.indexOf(':');
  if (colon === -1) return undefined;
  const word = line.slice(0, colon).trim().replace(/\s+/g, ' ').normalize().toLowerCase();
  const key = known.find((one) => HEADS[one].some((written) => written === word));
  return key && { key, value: line.slice(colon + 1).trim() };
}

const TYPES = new Map([
  ['string', 'string'] as const,
  ...['int', 'integer', 'short', 'long'].map((word) => [word, 'long'] as const),
  ...['float', 'double'].map((word) => [word, 'double'] as const),
  ...['bool', 'boolean'].map((word) => [word, 'bool'] as const),
  ...['date', 'datetime'].map((word) => [word, 'date'] as const),
]);

export interface ExportedParameter {
  readonly key: string;
  readonly name: string;
  readonly type: ProcedureType;
}

interface Parameters {
  readonly parameters: readonly ExportedParameter[];
  /** Types that are read as string. */
  readonly unknownTypes: readonly string[];
}

/** `[TYPE NAME, …]`. */
export function readParameters({ value, line }: HeadLine, { text: say }: Translator): Parameters {
  const inside = /^\[(.*)\]$/s.exec(value)?.[1] ?? (value === '' ? '' : undefined);
  if (inside === undefined) throw malformedHead(line, say('migrate-head-parameters', { text: value }));
  const parameters: ExportedParameter[] = [];
  const unknownTypes: string[] = [];
  for (const item of inside.split(',').filter((one) => one.trim() !== '')) {
    const [, written = '', name = ''] = /^(\S+)\s+(.+)$/s.exec(item.trim()) ?? [];
    if (name === '') throw malformedHead(line, say('migrate-head-parameters', { text: item.trim() }));
    const type = TYPES.get(written.toLowerCase());
    if (type === undefined) unknownTypes.push(written);
    parameters.push({ key: name, name, type: type ?? 'string' });
  }
  return { parameters, unknownTypes };
}

const NO_ALARM = new Set(['', 'false', 'no', 'off', '아니오', '사용 안 함']);

export const wantsAlarm = ({ value }: HeadLine): boolean => !NO_ALARM.has(value.replace(/\s+/g, ' ').toLowerCase());
