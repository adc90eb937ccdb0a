// xml: a document of rows. XML cannot write control characters, halves of surrogate pairs and two other code points, not
// even by number; a field with such characters is written with the escapes of JSON and marked `escaped="true"`.

import { attribute, markup } from '#kernel/text/markup.ts';
import { type Blocks, chunked, type Field, RowReader, type RowsContext } from './rows.ts';
import { textOf } from './values.ts';

export async function* xml(blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const reader = new RowReader(context);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rows>\n';
  for await (const rows of chunked(blocks)) {
    yield rows.map((row) => `<row>${reader.fieldsOf(row).map(elementOf).join('')}</row>\n`).join('');
  }
  yield '</rows>\n';
}

function elementOf(field: Field): string {
  const name = field.name;
  const text = textOf(field);
  if (!UNENCODABLE.test(text) && !UNENCODABLE.test(name)) {
    return `<field name="${attribute(name)}" type="${field.type}">${markup(text)}</field>`;
  }
  const safeName = attribute(escaped(name));
  const safeText = markup(escaped(text));
  return `<field name="${safeName}" type="${field.type}" escaped="true">${safeText}</field>`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose.
const UNENCODABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\p{Surrogate}\ufffe\uffff]/u;
const TO_ESCAPE = new RegExp(`${UNENCODABLE.source}|\\\\`, 'gu');

const escaped = (text: string): string =>
  text.replace(TO_ESCAPE, (character) =>
    character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
