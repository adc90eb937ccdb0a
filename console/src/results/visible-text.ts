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
  let offset = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > offset) parts.push({ text: text.slice(offset, match.index), isCode: false });
    parts.push({ text: codeText(match[0]), isCode: true });
    offset = match.index + match[0].length;
  }
  if (offset < text.length) parts.push({ text: text.slice(offset), isCode: false });
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
