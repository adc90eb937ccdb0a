// The fields of an XML document (parsexml): each child of the root is a field.

import type { Value } from '#query/model/values.ts';
import { readXml, type XmlElement } from './xml.ts';

/** Undefined where the text cannot be read. */
export function parsedXml(text: string): ReadonlyMap<string, Value> | undefined {
  const root = readXml(text);
  return root && childrenOf(root, new Map());
}

/** Adds the children to `map`; attributes of the same name stay. */
function childrenOf({ children }: XmlElement, map: Map<string, Value>): Map<string, Value> {
  const elements = children.filter((child) => typeof child !== 'string');
  for (const [name, same] of Map.groupBy(elements, (element) => element.name)) {
    const [first = null, ...more] = same.map(valueIn);
    if (!map.has(name)) map.set(name, more.length === 0 ? first : [first, ...more]);
  }
  return map;
}

function valueIn(element: XmlElement): Value {
  const { attributes, children } = element;
  const text = children.filter((child) => typeof child === 'string').join('');
  if (attributes.size === 0 && children.every((child) => typeof child === 'string')) return text;
  const map = childrenOf(element, new Map<string, Value>(attributes));
  if (/[^ \t\n]/.test(text) && !map.has('_text')) map.set('_text', text);
  return map;
}
