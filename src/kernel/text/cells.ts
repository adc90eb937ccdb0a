// The width of a text in terminal cells: Korean letters and emoji take two, combining marks none.

/** Combining marks, the vowels and finals of a decomposed Korean syllable, and joiners. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200f\u2060-\u2064\ufeff]/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

export function cellsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let cells = 0;
  for (const point of text) cells += cellsOfPoint(point);
  return cells;
}

const cellsOfPoint = (point: string): number => (ZERO_WIDTH.test(point) ? 0 : WIDE.test(point) ? 2 : 1);
