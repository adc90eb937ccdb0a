// Readers of the output formats, each written after its rules and not after our writers.

/** RFC 4180: rows of values, undefined where a value is empty and not quoted. */
export function csvRows(text: string): (string | undefined)[][] {
  const rows: (string | undefined)[][] = [];
  let at = 0;
  const quoted = () => {
    let value = '';
    for (at += 1; ; at += 1) {
      if (at >= text.length) throw new Error('a quote is not closed');
      if (text[at] !== '"') value += text[at];
      else if (text[at + 1] === '"') value += text[at++];
      else break;
    }
    at += 1;
    return value;
  };
  const bare = () => {
    const begin = at;
    while (at < text.length && !',\r\n"'.includes(text.charAt(at))) at += 1;
    return at === begin ? undefined : text.slice(begin, at);
  };
  while (at < text.length) {
    const row = [text[at] === '"' ? quoted() : bare()];
    while (text[at] === ',') {
      at += 1;
      row.push(text[at] === '"' ? quoted() : bare());
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`neither a comma nor the end of a line at ${at}`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

const TXT_ESCAPES: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\', '\\=': '=' };
const unescaped = (text: string) => text.replace(/\\./gs, (pair) => TXT_ESCAPES[pair] ?? 'no escape');

export function txtRows(text: string): Map<string, string>[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => {
    const pairs = line === '' ? [] : line.split('\t');
    return new Map(
      pairs.map((pair) => {
        const [, name = '', value = ''] = /^((?:[^\\=]|\\.)*)=(.*)$/s.exec(pair) ?? [];
        return [unescaped(name), unescaped(value)];
      }),
    );
  });
}

export interface XmlField {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
/** Production 2 of XML 1.0. */
const CHARACTERS = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
const ELEMENT = /<field name="([^<"]*)" type="([a-z]+)"( escaped="true")?>([^<]*)<\/field>/y;

/** Fails on whatever is not well-formed, or not of the one shape that a result has. */
export function xmlRows(document: string): XmlField[][] {
  if (!CHARACTERS.test(document)) throw new Error('a character that XML does not have');
  const [, body] = /^<\?xml version="1.0" encoding="UTF-8"\?>\n<rows>\n(.*)<\/rows>\n$/s.exec(document) ?? [];
  if (body === undefined) throw new Error('not the shape of a document');
  return body
    .split('</row>\n')
    .slice(0, -1)
    .map((row) => xmlFields(row));
}

function xmlFields(row: string): XmlField[] {
  if (!row.startsWith('<row>')) throw new Error(`no row: ${row}`);
  const fields: XmlField[] = [];
  for (let at = '<row>'.length; at < row.length; ) {
    ELEMENT.lastIndex = at;
    const [element, name = '', type = '', escapes, text = ''] = ELEMENT.exec(row) ?? [];
    if (element === undefined) throw new Error(`no field: ${row.slice(at)}`);
    const read = (part: string) => (escapes ? unescapedJson(part) : part);
    // A reader makes blanks of tabs and line ends in attributes, and line feeds of carriage returns.
    const attribute = dereferenced(name.replace(/[\t\n\r]/g, ' '));
    fields.push({ name: read(attribute), type, text: read(dereferenced(text.replace(/\r\n?/g, '\n'))) });
    at += element.length;
  }
  return fields;
}

const unescapedJson = (text: string) =>
  text.replace(/\\(?:u([0-9a-f]{4})|\\)/g, (_, code?: string) =>
    code === undefined ? '\\' : String.fromCharCode(Number.parseInt(code, 16)),
  );

function dereferenced(text: string): string {
  if (text.includes(']]>')) throw new Error('the end of a section');
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (reference, code?: string, name?: string) => {
    const meant = code === undefined ? NAMED[name ?? ''] : String.fromCodePoint(Number(code));
    if (meant === undefined) throw new Error(`no reference: ${reference}`);
    return meant;
  });
}
