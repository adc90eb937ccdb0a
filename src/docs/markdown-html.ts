// Markdown as HTML: the part of it that the documents of this project use. Text stays text, whatever it holds.

import { type Html, html } from './html.ts';

/** Where a link leads: an anchor of the page, or undefined for a place outside of it, which stays plain text. */
export type LinkTarget = (target: string) => string | undefined;

export interface Chapter {
  readonly title: string;
  /** What stands before the first section. */
  readonly opening: Html;
  readonly sections: readonly ChapterSection[];
}

export interface ChapterSection {
  readonly title: string;
  /** The anchor that Markdown readers give the heading. */
  readonly slug: string;
  readonly body: Html;
}

/** A document with one `#` heading and sections below `##`. */
export function chapterOf(markdown: string, linkTo: LinkTarget): Chapter {
  const blocks = blocksOf(markdown);
  const [first] = blocks;
  const starts = blocks.flatMap((block, at) => (sectionTitle(block) === undefined ? [] : [at]));
  const opening = blocks.slice(first?.startsWith('# ') ? 1 : 0, starts[0] ?? blocks.length);
  return {
    title: first?.startsWith('# ') ? first.slice(2) : '',
    opening: html`${opening.map((block) => blockHtml(block, linkTo))}`,
    sections: starts.map((start, at) => {
      const title = sectionTitle(blocks[start] ?? '') ?? '';
      const body = blocks.slice(start + 1, starts[at + 1] ?? blocks.length);
      return { title, slug: slugOf(title), body: html`${body.map((block) => blockHtml(block, linkTo))}` };
    }),
  };
}

export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Text with code, links, strong and emphasized parts. */
export function inlineHtml(text: string, linkTo: LinkTarget): Html {
  const parts: Html[] = [];
  let rest = text;
  while (rest !== '') {
    const { matched, made } = nextPart(rest, linkTo);
    parts.push(made);
    rest = rest.slice(matched);
  }
  return html`${parts}`;
}

const sectionTitle = (block: string) => (block.startsWith('## ') ? block.slice(3) : undefined);

/** Blank lines separate blocks, except inside code; a heading is a block of its own. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  let isCode = false;
  const close = () => {
    if (open.length > 0) blocks.push(open.join('\n'));
    open = [];
  };
  for (const line of markdown.split('\n')) {
    const isFence = line.startsWith('```');
    if (isFence && !isCode) close();
    if (!isCode && (line.trim() === '' || line.startsWith('<!--'))) {
      close();
      continue;
    }
    if (!isCode && /^#{1,6} /.test(line)) {
      close();
      blocks.push(line);
      continue;
    }
    open.push(line);
    if (isFence && isCode) close();
    if (isFence) isCode = !isCode;
  }
  close();
  return blocks;
}

function blockHtml(block: string, linkTo: LinkTarget): Html {
  const lines = block.split('\n');
  if (block.startsWith('```')) return html`<pre tabindex="0"><code>${lines.slice(1, -1).join('\n')}</code></pre>\n`;
  if (/^#{3,6} /.test(block)) return html`<h4>${inlineHtml(block.replace(/^#+ /, ''), linkTo)}</h4>\n`;
  if (block.startsWith('|') && lines.length > 1) return tableHtml(lines, linkTo);
  if (block.startsWith('> ')) {
    return html`<blockquote>${inlineHtml(lines.map((line) => line.replace(/^> ?/, '')).join(' '), linkTo)}</blockquote>\n`;
  }
  if (/^(-|\d+\.) /.test(block)) return listHtml(lines, linkTo);
  return html`<p>${inlineHtml(lines.join(' '), linkTo)}</p>\n`;
}

/** A line that starts no item goes on with the one before it. */
function listHtml(lines: readonly string[], linkTo: LinkTarget): Html {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^\s*(?:-|\d+\.) (.*)$/.exec(line)?.[1];
    if (item === undefined) items[items.length - 1] += ` ${line.trim()}`;
    else items.push(item);
  }
  const list = items.map((item) => html`<li>${inlineHtml(item, linkTo)}</li>\n`);
  return /^\d/.test(lines[0] ?? '') ? html`<ol>\n${list}</ol>\n` : html`<ul>\n${list}</ul>\n`;
}

function tableHtml([head = '', , ...rows]: readonly string[], linkTo: LinkTarget): Html {
  const cells = (line: string) => cellsOf(line).map((cell) => inlineHtml(cell, linkTo));
  return html`<div class="wide"><table>
<thead><tr>${cells(head).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;
}

/** A bar after a backslash is part of its cell, even inside code. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

interface Part {
  readonly matched: number;
  readonly made: Html;
}

function nextPart(text: string, linkTo: LinkTarget): Part {
  const code = /^`([^`]+)`/.exec(text);
  if (code) return { matched: code[0].length, made: html`<code>${code[1] ?? ''}</code>` };
  const link = /^!?\[((?:[^[\]\\]|\\.)*)\]\(([^()\s]*)\)/.exec(text);
  if (link) return { matched: link[0].length, made: linkHtml(link[1] ?? '', link[2] ?? '', linkTo) };
  const strong = /^\*\*([^*]+)\*\*/.exec(text);
  if (strong) return { matched: strong[0].length, made: html`<strong>${inlineHtml(strong[1] ?? '', linkTo)}</strong>` };
  const emphasis = /^\*([^*\s][^*]*)\*/.exec(text);
  if (emphasis) return { matched: emphasis[0].length, made: html`<em>${inlineHtml(emphasis[1] ?? '', linkTo)}</em>` };
  const escaped = /^\\([\\*<>[\]|`_#-])/.exec(text);
  if (escaped) return { matched: 2, made: html`${escaped[1] ?? ''}` };
  const plain = /^[^`![\\*]+/.exec(text)?.[0] ?? text.slice(0, 1);
  return { matched: plain.length, made: html`${plain}` };
}

function linkHtml(text: string, target: string, linkTo: LinkTarget): Html {
  const anchor = linkTo(target);
  const shown = inlineHtml(text, linkTo);
  return anchor === undefined ? shown : html`<a href="#${anchor}">${shown}</a>`;
}
