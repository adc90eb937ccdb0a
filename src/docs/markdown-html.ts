// Markdown as the HTML of a chapter. HTML in a document is text, and a link outside of the page is its words.

import { Lexer, Marked, type Token, type Tokens } from 'marked';
import { Html, html } from './html.ts';

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
  const marked = writerOf(linkTo);
  const tokens = marked.lexer(markdown);
  const [first] = tokens;
  const starts = tokens.flatMap((token, at) => (headingOf(token, 2) === undefined ? [] : [at]));
  const title = first && headingOf(first, 1);
  const bodyOf = (from: number, to = tokens.length) => new Html(marked.parser(tokens.slice(from, to)));
  return {
    title: title ?? '',
    opening: bodyOf(title === undefined ? 0 : 1, starts[0]),
    sections: starts.map((start, at) => {
      const heading = headingOf(tokens[start], 2) ?? '';
      return { title: heading, slug: slugOf(heading), body: bodyOf(start + 1, starts[at + 1]) };
    }),
  };
}

/** The anchors of the sections, without making HTML of them. */
export const sectionSlugs = (markdown: string): string[] =>
  new Lexer().blockTokens(markdown).flatMap((token) => {
    const title = headingOf(token, 2);
    return title === undefined ? [] : [slugOf(title)];
  });

export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

const isHeading = (token: Token | undefined): token is Tokens.Heading => token?.type === 'heading';

const headingOf = (token: Token | undefined, depth: number): string | undefined =>
  isHeading(token) && token.depth === depth ? token.text : undefined;

function writerOf(linkTo: LinkTarget): Marked {
  return new Marked({
    renderer: {
      heading({ tokens }) {
        return `<h4>${this.parser.parseInline(tokens)}</h4>\n`;
      },
      code({ text }) {
        return html`<pre tabindex="0"><code>${text}</code></pre>\n`.text;
      },
      link({ href, tokens }) {
        const anchor = linkTo(href);
        const shown = new Html(this.parser.parseInline(tokens));
        return (anchor === undefined ? shown : html`<a href="#${anchor}">${shown}</a>`).text;
      },
      image: ({ text }) => html`${text}`.text,
      html: ({ text }) => (text.startsWith('<!--') ? '' : html`${text}`.text),
      table({ header, rows }) {
        const cells = (name: string, row: readonly Tokens.TableCell[]) =>
          row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name.slice(0, 2)}>`).join('');
        const body = rows.map((row) => `<tr>${cells('td', row)}</tr>\n`).join('');
        return `<div class="wide"><table>\n<thead><tr>${cells('th scope="col"', header)}</tr></thead>\n<tbody>\n${body}</tbody>\n</table></div>\n`;
      },
    },
  });
}
