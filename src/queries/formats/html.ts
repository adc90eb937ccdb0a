// html: a page with one table, without external resources or scripts.

import { createHash } from 'node:crypto';
import { markup } from '#kernel/text/markup.ts';
import { withColumnNames } from './columns-first.ts';
import { type Blocks, chunked, RowReader, type RowsContext } from './rows.ts';
import { textOf } from './values.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 1.5rem; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans KR", sans-serif; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: Canvas; white-space: nowrap; }
td { max-width: 40rem; white-space: pre-wrap; overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; }
`;

export function htmlPolicy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

export async function* html(blocks: Blocks, context: RowsContext): AsyncGenerator<string> {
  const { names, rows } = await withColumnNames(blocks, context);
  const reader = new RowReader(context);
  yield `${opening(names)}<tbody>\n`;
  for await (const chunk of chunked(rows)) {
    const lines = chunk.map((row) => {
      const fields = new Map(reader.fieldsOf(row).map((field) => [field.name, field]));
      return `<tr>${names.map((name) => cellOf(fields.get(name))).join('')}</tr>\n`;
    });
    yield lines.join('');
  }
  yield '</tbody>\n</table>\n</body>\n</html>\n';
}

const opening = (names: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vigil</title>
<style>${STYLE}</style>
</head>
<body>
<table>
<thead><tr>${names.map((name) => `<th scope="col">${shown(name)}</th>`).join('')}</tr></thead>
`;

function cellOf(field: Parameters<typeof textOf>[0] | undefined): string {
  if (!field) return '<td></td>';
  const isNumber = field.type === 'long' || field.type === 'double';
  return `<td${isNumber ? ' class="number"' : ''}>${shown(textOf(field))}</td>`;
}

/** HTML has no NUL. */
const shown = (text: string): string => markup(text.toWellFormed()).replaceAll('\0', '\ufffd');
