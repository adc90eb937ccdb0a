// Reads the escapes (2.5) and wildcards (4.4) of STRING tokens and writes strings back.

import type { InnerText, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';

/** A string of the query text, quotes included. */
export interface StringToken extends Span {
  /** The text between the quotes, with its escapes. */
  readonly raw: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n', t: '\t', r: '\r' };

/** The contents with escapes processed, in NFC. */
export function unescaped(token: StringToken): InnerText {
  const { raw, begin } = token;
  if (!raw.includes('\\')) return rawInner(token);
  const { text, offsets } = escapesRead(raw, begin + 1, false);
  return composed(text, (index) => offsets[Math.min(index, offsets.length - 1)] ?? begin + 1);
}

export const rawInner = ({ raw, begin }: StringToken): InnerText => bareInner(raw, begin + 1);

/** A text as typed, without quotes, in NFC. */
export const bareInner = (text: string, begin: number): InnerText => composed(text, (index) => begin + index);

/** NFC changes lengths, so each unit of the composed text is mapped to the cluster it comes from. */
function composed(text: string, offset: InnerText['offset']): InnerText {
  const normal = text.normalize();
  if (normal === text) return { text, offset };
  let starts: readonly number[] | undefined;
  return {
    text: normal,
    offset(index) {
      starts ??= clusterStarts(text);
      return offset(starts[index] ?? text.length);
    },
  };
}

/** A character with the characters that may compose with it: marks, and the later letters of a Korean syllable. */
const CLUSTER = /[^\p{M}\u1160-\u11ff]?[\p{M}\u1160-\u11ff]*/gsu;

function clusterStarts(text: string): number[] {
  const starts: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    for (let unit = cluster.normalize().length; unit > 0; unit -= 1) starts.push(index);
  }
  return starts;
}

/** The texts between unescaped stars; a single text without stars. */
export function wildcardParts({ raw, begin }: StringToken): string[] {
  // No character composes with a star, so that the parts may be composed together.
  if (!raw.includes('\\')) return raw.normalize().split('*');
  const { text, stars } = escapesRead(raw, begin + 1, true);
  const bounds = [-1, ...stars, text.length];
  return bounds.slice(1).map((bound, index) => text.slice((bounds[index] ?? 0) + 1, bound).normalize());
}

interface ReadEscapes {
  readonly text: string;
  readonly offsets: readonly number[];
  /** Indexes in `text` of unescaped stars. */
  readonly stars: readonly number[];
}

function escapesRead(raw: string, origin: number, starsMayBeEscaped: boolean): ReadEscapes {
  const units: string[] = [];
  const offsets: number[] = [];
  const stars: number[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charAt(at);
    offsets.push(origin + at);
    if (character === '*') stars.push(units.length);
    if (character !== '\\') {
      units.push(character);
      continue;
    }
    at += 1;
    const letter = raw.charAt(at);
    const meant = starsMayBeEscaped && letter === '*' ? '*' : ESCAPES[letter];
    if (meant === undefined) {
      const begin = origin + at - 1;
      const hints = [{ code: 91003 as const, replacement: `\\\\${letter}` }];
      throw new QueryError(90205, { begin, end: begin + 2 }, { escape: `\\${letter}` }, { hints });
    }
    units.push(meant);
  }
  offsets.push(origin + raw.length);
  return { text: units.join(''), offsets, stars };
}

const WRITTEN: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

export const quoted = (text: string): string => `"${escaped(text)}"`;

/** For strings where a star would be a wildcard. */
export function quotedPattern(parts: readonly string[]): string {
  const isPlain = !/[\\"\n\t\r*]/.test(parts.join(''));
  const written = isPlain ? parts : parts.map((part) => escaped(part).replaceAll('*', '\\*'));
  return `"${written.join('*')}"`;
}

const escaped = (text: string) => text.replace(/[\\"\n\t\r]/g, (character) => WRITTEN[character] ?? character);

/**
 * Position of the quote that closes the one at `at`, or -1: a string opened by `"` ends only at `"`, one opened by a
 * typographic quote at any quote.
 */
export function closingQuote(text: string, at: number, quote: string): number {
  const stops = quote === '"' ? /["\\]/g : /["“”„＂\\]/g;
  stops.lastIndex = at + 1;
  for (let found = stops.exec(text); found; found = stops.exec(text)) {
    if (found[0] !== '\\') return found.index;
    stops.lastIndex = found.index + 2;
  }
  return -1;
}
