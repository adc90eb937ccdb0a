// Paths of file sinks (8): relative to the export folder, and with `partition=t` made of moments.

import { datePatternError } from '#query/model/date-pattern.ts';
import type { InnerText } from '#query/model/expression.ts';
import { formatted } from '#query/values/date-format.ts';

/** What a text can be written in; the first is the default. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'us-ascii', 'euc-kr', 'cp949'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Text as it stands, or a moment by a pattern (9.5): the time of the row, or that of the run. */
export type PathPart = string | { readonly moment: 'logtime' | 'now'; readonly pattern: string };

/** What there is at a path of the export folder, links followed. */
export interface ExportPlaces {
  /** `blocked` is what is no file, nor can be one. */
  look(path: string): 'free' | 'taken' | 'blocked' | 'outside';
}

const MOMENT = /\{(logtime|now):([^{}]*)\}/g;

/** Throws a QueryError for a pattern that is none. */
export function pathParts({ text, offset }: InnerText, isPartitioned: boolean): PathPart[] {
  if (!isPartitioned) return [text];
  const parts: PathPart[] = [];
  let from = 0;
  for (const { 0: whole, 1: moment, 2: pattern = '', index } of text.matchAll(MOMENT)) {
    const at = index + whole.length - pattern.length - 1;
    const mistake = datePatternError({ text: pattern, offset: (place) => offset(at + place) }, false);
    if (mistake) throw mistake;
    parts.push(text.slice(from, index), { moment: moment === 'now' ? 'now' : 'logtime', pattern });
    from = index + whole.length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}

interface Moments {
  readonly logtime: Temporal.Instant;
  readonly now: Temporal.Instant;
  readonly zone: string;
}

export const pathAt = (parts: readonly PathPart[], moments: Moments): string =>
  parts
    .map((part) =>
      typeof part === 'string' ? part : formatted(moments[part.moment], part.pattern, moments.zone, 'en'),
    )
    .join('');

/** Where files lie that have no name yet. */
export const UNFINISHED = '.unfinished';

/** What file systems take, in bytes: of a name, and of a path below a folder that has a path itself. */
const NAME_BYTES = 255;
const PATH_BYTES = 1024;

const fits = (path: string, steps: readonly string[]): boolean =>
  Buffer.byteLength(path) <= PATH_BYTES && steps.every((step) => Buffer.byteLength(step) <= NAME_BYTES);

/** Whether a path names a file below the folder it is relative to, as far as its text tells. */
export function staysInside(path: string): boolean {
  const steps = path.split('/');
  const isValid = steps.every((step) => step !== '' && step !== '.' && step !== '..');
  return isValid && fits(path, steps) && !path.includes('\0') && steps[0] !== UNFINISHED;
}
