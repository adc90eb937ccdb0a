// How many cells of a terminal a text takes: Korean letters and emoji take two, marks over another letter none.

/** Marks over the letter before, the vowels and finals of a Korean syllable written in its parts, and joints. */
const NARROWEST = /[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200f\u2060-\u2064\ufeff]/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

export function cellsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let cells = 0;
  for (const point of text) cells += cellsOfPoint(point);
  return cells;
}

const cellsOfPoint = (point: string): number => (NARROWEST.test(point) ? 0 : WIDE.test(point) ? 2 : 1);
