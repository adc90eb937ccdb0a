// The claims of a witness, ordered by entry. A witness is written in that order, except that a checkpoint may follow
// its whole group, and that ids restart lower after the log was cut. It is therefore read as runs of ascending ids,
// merged, and each run only while the walk passes through it.

import type { Checkpoint } from '#audit/chain/checkpoint.ts';
import { type Head, type Line, TAG_DIGITS } from '#audit/chain/witness.ts';
import { type FileLine, linesOf } from './lines.ts';

/**
 * The hash of an entry begins with these digits, or a checkpoint was signed for it. `isWritten` is false for an entry
 * recorded only at the next start; `isTold` is true for a head that the service disclosed in an answer.
 */
export type Claim =
  | { readonly id: number; readonly digits: string; readonly isWritten: boolean; readonly isDisclosed?: true }
  | { readonly id: number; readonly checkpoint: Checkpoint };

export interface ClaimSource {
  readonly firstId: number;
  /** In ascending order of ids. */
  claims(): Iterator<Claim, void>;
}

export interface Corruption {
  readonly file: string;
  readonly line: number;
  /** The newest entry named by the lines before. */
  readonly after: number;
}

interface WitnessFile {
  readonly sources: readonly ClaimSource[];
  /** The newest entry named; 0 if there is none. */
  readonly newestId: number;
  readonly corruption: Corruption | undefined;
}

/**
 * Indexes the witness up to its present length: later lines are not read, so a log read afterwards must contain all
 * entries it names.
 */
export function readWitnessFile(file: string): WitnessFile {
  const sources: ClaimSource[] = [];
  let run: Run | undefined;
  let corruption: Corruption | undefined;
  let number = 0;
  let newestId = 0;
  for (const { text, from, to, isEnded } of linesOf(file)) {
    number += 1;
    // A last line without a line break is being written, or was cut off by a crash.
    if (!isEnded) break;
    const line = parseLine(text);
    if (!line) {
      corruption ??= { file, line: number, after: newestId };
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
  return { sources, newestId, corruption };
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

/** The entries of a line: `first` to `id`, and `after`, the entry before all that are new in it. */
function spanOf(line: Line): { first: number; after: number; id: number } {
  if ('checkpoint' in line) return { first: line.checkpoint.id, after: line.checkpoint.id, id: line.checkpoint.id };
  const after = line.id - line.tags.length / TAG_DIGITS;
  return { first: Math.min(after + 1, line.id), after, id: line.id };
}

const HASH = /^[0-9a-f]{64}$/;
const TAGS = /^(?:[0-9a-f]{8})*$/;

/** Undefined for a text that the service does not write. */
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

/** Merges the claims of many sources, entry by entry. */
export class ClaimCursor {
  readonly #pending: ClaimSource[];
  #open: { readonly claims: Iterator<Claim, void>; next: Claim }[] = [];

  constructor(sources: readonly ClaimSource[]) {
    this.#pending = sources.toSorted((a, b) => b.firstId - a.firstId);
  }

  /** Ids must be requested in ascending order. */
  claimsFor(id: number): Claim[] {
    this.#admit(id);
    const claims: Claim[] = [];
    for (const source of this.#open) {
      while (source.next.id <= id) {
        claims.push(source.next);
        const { value, done } = source.claims.next();
        if (done) {
          this.#open = this.#open.filter((other) => other !== source);
          break;
        }
        source.next = value;
      }
    }
    return claims;
  }

  /**
   * A source is opened when the walk reaches its first entry, so that only overlapping sources are open at the same
   * time.
   */
  #admit(id: number): void {
    for (let source = this.#pending.at(-1); source && source.firstId <= id; source = this.#pending.at(-1)) {
      this.#pending.pop();
      const claims = source.claims();
      const { value, done } = claims.next();
      if (!done) this.#open.push({ claims, next: value });
    }
  }
}
