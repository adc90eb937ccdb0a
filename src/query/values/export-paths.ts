// Paths of file sinks (8): relative to the export folder; with `partition=t` they contain dates.

import { datePatternError } from '#query/model/date-pattern.ts';
import type { InnerText } from '#query/model/expression.ts';
import { formatted } from './dates/date-format.ts';

/** Literal text, or a date by a pattern (9.5): the time of the row or of the run. */
export type PathPart = string | { readonly moment: 'logtime' | 'now'; readonly pattern: string };

/** Looks up paths of the export folder, following links. */
export interface ExportPaths {
  /** `blocked`: the path is not a file and no file can be created there. */
  look(path: string): 'free' | 'taken' | 'blocked' | 'outside';
  /** The absolute path of the folder. */
  readonly folder: string;
}

const MOMENT = /\{(logtime|now):([^{}]*)\}/g;

/** The ending of a file's name in a pattern. */
const ENDING = /(?:\.(?:csv|tsv|txt|json|log)(?:\.gz)?|\.gz)$/;

/** A path below the folder, without it. */
export function relativeTo(folder: string, { text, offset }: InnerText): InnerText {
  const above = folder.endsWith('/') ? folder : `${folder}/`;
  if (!text.startsWith(above)) return { text, offset };
  return { text: text.slice(above.length), offset: (index) => offset(above.length + index) };
}

/** Throws a QueryError for an invalid date pattern. */
export function pathParts({ text, offset }: InnerText): PathPart[] {
  const parts: PathPart[] = [];
  let from = 0;
  for (const { 0: whole, 1: moment, 2: pattern = '', index } of text.matchAll(MOMENT)) {
    const isRooted = index === 0 && pattern.startsWith('/');
    const ending = ENDING.exec(pattern)?.[0] ?? '';
    const letters = pattern.slice(isRooted ? 1 : 0, pattern.length - ending.length);
    const at = index + whole.length - pattern.length - 1 + (isRooted ? 1 : 0);
    const error = datePatternError({ text: letters, offset: (index) => offset(at + index) });
    if (error) throw error;
    const part = { moment: moment === 'now' ? 'now' : 'logtime', pattern: letters } as const;
    parts.push(text.slice(from, index), ...(letters === '' ? [] : [part]), ending);
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
      typeof part === 'string'
        ? part
        : formatted(moments[part.moment], part.pattern, { zone: moments.zone, locale: 'en' }),
    )
    .join('');

/** The folder of files that are still being written. */
export const UNFINISHED = '.unfinished';

/** Limits of file systems in bytes, for a name and for a path below the export folder. */
const NAME_BYTES = 255;
const PATH_BYTES = 1024;

const fits = (path: string, steps: readonly string[]): boolean =>
  Buffer.byteLength(path) <= PATH_BYTES && steps.every((step) => Buffer.byteLength(step) <= NAME_BYTES);

/** True if the text of a relative path names a file below its folder. */
export function staysInside(path: string): boolean {
  const steps = path.split('/');
  const isValid = steps.every((step) => step !== '' && step !== '.' && step !== '..');
  return isValid && fits(path, steps) && !path.includes('\0') && steps[0] !== UNFINISHED;
}
