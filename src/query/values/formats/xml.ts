// Parses XML as data: elements, attributes and text. Document types and entity declarations are rejected, never
// resolved, so that a text can neither expand nor access other resources. Prefixes are part of names.

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Adjacent texts are one child. */
  readonly children: readonly (XmlElement | string)[];
}

interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (XmlElement | string)[];
}

/** Limit of nesting, because readers of the tree recurse. */
const MAX_DEPTH = 200;

const NAME = '[\\p{L}_:][\\p{L}\\p{Nd}\\p{M}_:.\\-]*';
const OPENING = new RegExp(`<(${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`[ \\t\\r\\n]+(${NAME})[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'uy');
const OPENED = /[ \t\r\n]*(\/?)>/y;
const CLOSING = new RegExp(`</(${NAME})[ \\t\\r\\n]*>`, 'uy');

/** The root; undefined if the text is not well-formed, has declarations, or is nested too deeply. */
export function readXml(text: string): XmlElement | undefined {
  try {
    return new Reader(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')).document();
  } catch (failure) {
    if (failure instanceof Unreadable) return undefined;
    throw failure;
  }
}

class Unreadable extends Error {}

class Reader {
  readonly #text: string;
  readonly #open: Open[] = [];
  #root: XmlElement | undefined;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): XmlElement {
    while (this.#at < this.#text.length) this.#step();
    if (!this.#root || this.#open.length > 0) throw new Unreadable();
    return this.#root;
  }

  #step(): void {
    if (this.#text.charAt(this.#at) !== '<') this.#characters();
    else if (this.#startsWith('<!--')) this.#upTo('<!--', '-->');
    else if (this.#startsWith('<![CDATA[')) this.#put(this.#upTo('<![CDATA[', ']]>'));
    else if (this.#startsWith('<?')) this.#upTo('<?', '?>');
    else if (this.#startsWith('</')) this.#close();
    else this.#element();
  }

  #startsWith(mark: string): boolean {
    return this.#text.startsWith(mark, this.#at);
  }

  #upTo(opening: string, closing: string): string {
    const from = this.#at + opening.length;
    const end = this.#text.indexOf(closing, from);
    if (end === -1) throw new Unreadable();
    this.#at = end + closing.length;
    return this.#text.slice(from, end);
  }

  #characters(): void {
    const end = this.#text.indexOf('<', this.#at);
    const raw = this.#text.slice(this.#at, end === -1 ? undefined : end);
    this.#at += raw.length;
    if (this.#open.length > 0) this.#put(resolved(raw));
    else if (/[^ \t\n]/.test(raw)) throw new Unreadable();
  }

  #put(text: string): void {
    const children = this.#open.at(-1)?.children;
    if (!children) throw new Unreadable();
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + text;
    else if (text !== '') children.push(text);
  }

  #element(): void {
    const [, name] = this.#taken(OPENING);
    if (name === undefined || (this.#open.length === 0 && this.#root) || this.#open.length >= MAX_DEPTH) {
      throw new Unreadable();
    }
    const element: Open = { name, attributes: this.#attributes(), children: [] };
    const [, end] = this.#taken(OPENED);
    const enclosing = this.#open.at(-1);
    if (enclosing) enclosing.children.push(element);
    else this.#root = element;
    if (end === '') this.#open.push(element);
  }

  #attributes(): Map<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      const found = this.#match(ATTRIBUTE);
      if (!found) return attributes;
      const [, name = '', double, single = ''] = found;
      if (attributes.has(name)) throw new Unreadable();
      attributes.set(name, resolved((double ?? single).replace(/[\t\n]/g, ' ')));
    }
  }

  #close(): void {
    const [, name] = this.#taken(CLOSING);
    if (this.#open.pop()?.name !== name) throw new Unreadable();
  }

  #taken(pattern: RegExp): RegExpExecArray {
    const found = this.#match(pattern);
    if (!found) throw new Unreadable();
    return found;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };

/** Replaces references; a reference to a declared entity makes the text unreadable. */
function resolved(raw: string): string {
  if (!raw.includes('&')) return raw;
  return raw.replace(/&(?:#x([0-9a-fA-F]{1,6});|#([0-9]{1,7});|([a-z]+);)?/g, (_, hex, decimal, name) => {
    const meant = name === undefined ? character(hex, decimal) : ENTITIES[name];
    if (meant === undefined) throw new Unreadable();
    return meant;
  });
}

function character(hex: string | undefined, decimal: string | undefined): string | undefined {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter =
    (code > 0x1f && code < 0xd800) || (code > 0xdfff && code < 0x110000) || [9, 10, 13].includes(code);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

/** The text of all descendants, in document order. */
export const textWithin = (node: XmlElement | string): string =>
  typeof node === 'string' ? node : node.children.map(textWithin).join('');
