// What a witness claims, in the order of the entries it speaks of. A witness is written in that order, except that a
// checkpoint may follow its whole group, and that ids fall back where the log was cut and went on. It is therefore read
// as runs of ascending ids, side by side, and each run only while the log passes through it.

import type { Checkpoint } from './checkpoint.ts';
import { type FileLine, linesOf } from './lines.ts';
import { type Head, type Line, TAG_DIGITS } from './witness.ts';

/**
 * That the hash of an entry begins with these digits, or that a checkpoint was signed for it. `isWritten` is false for
 * an entry that was not written then, but found at a start; `isTold` is true for a head that the service told somebody
 * outside.
 */
export type Claim =
  | { readonly id: number; readonly digits: string; readonly isWritten: boolean; readonly isTold?: true }
  | { readonly id: number; readonly checkpoint: Checkpoint };

export interface ClaimSource {
  readonly firstId: number;
  /** In ascending order of ids. */
  claims(): Iterator<Claim, void>;
}

export interface Corruption {
  readonly file: string;
  readonly line: number;
  /** The newest entry that the lines before speak of. */
  readonly after: number;
}

export interface WitnessFile {
  readonly sources: readonly ClaimSource[];
  /** The newest entry that is spoken of; 0 when none is. */
  readonly newestId: number;
  readonly damage: Corruption | undefined;
}

/** Surveys a witness as long as it is now: what is written later is not read, so a log read after it must have it all. */
export function readWitnessFile(file: string): WitnessFile {
  const sources: ClaimSource[] = [];
  let run: Run | undefined;
  let damage: Corruption | undefined;
  let number = 0;
  let newestId = 0;
  for (const { text, from, to, isEnded } of linesOf(file)) {
    number += 1;
    // A last line without its end is being written, or was cut off by a crash.
    if (!isEnded) break;
    const line = parseLine(text);
    if (!line) {
      damage ??= { file, line: number, after: newestId };
      continue;
    }
    const { first, after, id } = spanOf(line);
    if (!run || after < run.lastId) {
      run = { from, to, lastId: id };
      sources.push(sourceOf(file, run, first));
    }
    run.to = to;
    run.lastId = id;
    newestId = Math.max(newestId, id);
  }
  return { sources, newestId, damage };
}

interface Run {
  readonly from: number;
  to: number;
  lastId: number;
}

const sourceOf = (file: string, run: Run, firstId: number): ClaimSource => ({
  firstId,
  claims: () => claimsIn(linesOf(file, run)),
});

function* claimsIn(lines: Iterable<FileLine>): Generator<Claim> {
  for (const { text } of lines) {
    const line = parseLine(text);
    if (!line) continue;
    if ('checkpoint' in line) yield { id: line.checkpoint.id, checkpoint: line.checkpoint };
    else yield* claimsOfHead(line);
  }
}

function* claimsOfHead({ id, hash, tags }: Head): Generator<Claim> {
  const last = tags.length - TAG_DIGITS;
  for (let at = 0; at < last; at += TAG_DIGITS) {
    yield { id: id - (last - at) / TAG_DIGITS, digits: tags.slice(at, at + TAG_DIGITS), isWritten: true };
  }
  yield { id, digits: hash, isWritten: tags !== '' };
}

/** The entries a line speaks of: `first` to `id`, and `after` the one before all that are new to it. */
function spanOf(line: Line): { first: number; after: number; id: number } {
  if ('checkpoint' in line) return { first: line.checkpoint.id, after: line.checkpoint.id, id: line.checkpoint.id };
  const after = line.id - line.tags.length / TAG_DIGITS;
  return { first: Math.min(after + 1, line.id), after, id: line.id };
}

const HASH = /^[0-9a-f]{64}$/;
const TAGS = /^(?:[0-9a-f]{8})*$/;

/** Undefined when it is no line that we write. */
function parseLine(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isHead(line) || isCheckpoint(Object(line).checkpoint) ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

export const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);

export function isCheckpoint(value: unknown): value is Checkpoint {
  const { id, hash, root, created_at, signature }: Partial<Record<keyof Checkpoint, unknown>> = Object(value);
  return isId(id) && isHash(hash) && isHash(root) && typeof created_at === 'number' && typeof signature === 'string';
}

function isHead(value: unknown): value is Head {
  const { id, hash, tags }: Partial<Record<keyof Head, unknown>> = Object(value);
  return isId(id) && isHash(hash) && typeof tags === 'string' && TAGS.test(tags) && tags.length / TAG_DIGITS <= id;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The claims of many sources about one entry after another. */
export class ClaimCursor {
  readonly #waiting: ClaimSource[];
  #speaking: { readonly claims: Iterator<Claim, void>; next: Claim }[] = [];

  constructor(sources: readonly ClaimSource[]) {
    this.#waiting = sources.toSorted((a, b) => b.firstId - a.firstId);
  }

  /** Ids must be asked for one after another. */
  about(id: number): Claim[] {
    this.#admit(id);
    const heard: Claim[] = [];
    for (const speaker of this.#speaking) {
      while (speaker.next.id <= id) {
        heard.push(speaker.next);
        const { value, done } = speaker.claims.next();
        if (done) {
          this.#speaking = this.#speaking.filter((other) => other !== speaker);
          break;
        }
        speaker.next = value;
      }
    }
    return heard;
  }

  /** A source is opened when the log comes to it, so that no more are open than speak of the same entries. */
  #admit(id: number): void {
    for (let source = this.#waiting.at(-1); source && source.firstId <= id; source = this.#waiting.at(-1)) {
      this.#waiting.pop();
      const claims = source.claims();
      const { value, done } = claims.next();
      if (!done) this.#speaking.push({ claims, next: value });
    }
  }
}
