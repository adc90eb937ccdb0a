// Stored text made safe to look at: control characters, marks that turn the direction of text, and invisible characters are
// shown by their codes, so that a log cannot look like what it is not.

export interface TextPart {
  readonly text: string;
  /** True for a character that is shown by its code. */
  readonly isCode: boolean;
}

/** Controls but tab and line break; format characters (zero width, bidi marks, tags); separators of lines; half characters; fillers. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\u115f|\u1160|\u3164|\uffa0|(?![\t\n])\p{Cc}/gu;

export function visibleParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let place = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > place) parts.push({ text: text.slice(place, match.index), isCode: false });
    parts.push({ text: codeText(match[0]), isCode: true });
    place = match.index + match[0].length;
  }
  if (place < text.length) parts.push({ text: text.slice(place), isCode: false });
  return parts;
}

const codeText = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** At most so many UTF-16 units, never half a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
