// The items of a list parameter. Counted before they are made: sixteen megabytes of commas are no list of sixteen million texts.

import { type Given, NumberText } from './given.ts';

const COMMA = 0x2c;

/** Undefined when there are more than `most`. Blanks around items are ignored, empty ones dropped. */
export function itemsOf(given: readonly Given[], most: number): readonly Given[] | undefined {
  const items: Given[] = [];
  for (const one of given) {
    for (const item of typeof one === 'string' ? textItems(one) : arrayItems(one)) {
      if (items.push(item) > most) return undefined;
    }
  }
  return items;
}

function* textItems(text: string): Generator<string> {
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && text.charCodeAt(at) !== COMMA) continue;
    const item = at === from ? '' : text.slice(from, at).trim();
    from = at + 1;
    if (item !== '') yield item;
  }
}

function* arrayItems(given: Exclude<Given, string>): Generator<Given> {
  if (!Array.isArray(given)) {
    yield given;
    return;
  }
  for (const item of given) {
    const one = typeof item === 'string' ? item.trim() : item;
    if (one !== null && one !== '') yield typeof one === 'number' ? new NumberText(String(one)) : one;
  }
}
