// Structured data of RFC 5424: elements of named parameters, each of which becomes a field `id.name`, a name that queries
// can write bare. A parameter that is given several times is a list.

import { endOfString } from '#kernel/json/json-members.ts';
import type { Value } from '#query/model/values.ts';

const NIL = '-';

interface FoundData {
  readonly fields: ReadonlyMap<string, Value>;
  /** Behind it in the text. */
  readonly end: number;
}

/** What begins at `from`; undefined where that is no structured data. */
export function structuredData(text: string, from: number): FoundData | undefined {
  const data = new Map<string, Value>();
  if (text.startsWith(NIL, from)) return { fields: data, end: from + NIL.length };
  let at = from;
  while (text.charAt(at) === '[') {
    const end = element(text, at + 1, data);
    if (end === undefined) return undefined;
    at = end;
  }
  return at === from ? undefined : { fields: data, end: at };
}

/** Names are of letters that can be printed, but for these; what was replaced in one (U+FFFD) hides no message. */
const NAME = /[!#-<>-\\^-~\ufffd]+/y;

/** Where the element ends whose name begins at `from`. One without parameters is a field with an empty text. */
function element(text: string, from: number, fields: Map<string, Value>): number | undefined {
  const id = nameAt(text, from);
  if (id === undefined) return undefined;
  let at = from + id.length;
  if (text.charAt(at) === ']') add(fields, id, '');
  while (text.charAt(at) === ' ') {
    const name = nameAt(text, at + 1);
    const opening = at + 1 + (name?.length ?? 0) + 1;
    if (name === undefined || !text.startsWith('="', opening - 1)) return undefined;
    const closing = endOfString(text, opening);
    add(fields, `${id}.${name}`, unescaped(text.slice(opening + 1, closing)));
    at = closing + 1;
  }
  return text.charAt(at) === ']' ? at + 1 : undefined;
}

const unescaped = (value: string): string => (value.includes('\\') ? value.replace(/\\(["\\\]])/g, '$1') : value);

function nameAt(text: string, from: number): string | undefined {
  NAME.lastIndex = from;
  return NAME.exec(text)?.[0];
}

function add(fields: Map<string, Value>, name: string, value: string): void {
  const before = fields.get(name);
  if (before === undefined) fields.set(name, value);
  else if (typeof before === 'string') fields.set(name, [before, value]);
  // A list in here was made just above.
  else (before as Value[]).push(value);
}
