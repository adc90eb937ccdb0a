// HTML as tagged templates: whatever is put in is escaped, unless it is HTML made the same way.

import { markup } from '#kernel/text/markup.ts';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | Html | readonly Html[];

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.map((text, index) => text + written(pieces[index] ?? '')).join(''));
}

/** Text in which backticks mark code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

function written(piece: Piece): string {
  if (typeof piece === 'string') return markup(piece);
  return piece instanceof Html ? piece.text : piece.map(({ text }) => text).join('');
}
