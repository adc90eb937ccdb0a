// The items of a list parameter. Counted as they are made: sixteen megabytes of commas are no list of sixteen million texts.

import type { Json } from '#kernel/json/canonical-json.ts';
import { NumberText, type RawValue } from '#operations/requests/raw-params.ts';

const COMMA = 0x2c;

/** Undefined when there are more than `most`. Blanks around items are ignored, empty ones dropped. */
export function itemsOf(given: readonly RawValue[], most: number): readonly RawValue[] | undefined {
  const items: RawValue[] = [];
  for (const one of given) {
    if (typeof one === 'string') addTextItems(one, items, most);
    else if (Array.isArray(one)) addArrayItems(one, items, most);
    else items.push(one);
    if (items.length > most) return undefined;
  }
  return items;
}

/** Not with `split`, which makes the empty ones, too. */
function addTextItems(text: string, items: RawValue[], most: number): void {
  for (let from = beginOfItem(text, 0); from !== -1 && items.length <= most; ) {
    const comma = text.indexOf(',', from);
    const end = comma === -1 ? text.length : comma;
    items.push(text.slice(from, end).trim());
    from = beginOfItem(text, end + 1);
  }
}

/** Long runs of commas and blanks are passed over by the engine, which is quicker at it. */
function beginOfItem(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code > COMMA && code < 0x80) return from;
  const letter = /[^,\s]/g;
  letter.lastIndex = from;
  return from < text.length ? (letter.exec(text)?.index ?? -1) : -1;
}

function addArrayItems(array: readonly Json[], items: RawValue[], most: number): void {
  for (const item of array) {
    if (items.length > most) return;
    const one = typeof item === 'string' ? item.trim() : item;
    if (one !== null && one !== '') items.push(typeof one === 'number' ? new NumberText(String(one)) : one);
  }
}
