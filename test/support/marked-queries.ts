// Queries with a place marked in them: `table «wev»`. Without a closing mark the place is one character long.

export interface Marked {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
}

export function marked(text: string): Marked {
  const begin = text.indexOf('«');
  if (begin === -1) throw new Error(`no place is marked in ${text}`);
  const close = text.indexOf('»');
  const end = close === -1 ? begin + 1 : close - 1;
  return { text: text.replaceAll(/[«»]/g, ''), begin, end };
}
