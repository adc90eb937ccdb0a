// The reference as one page that needs nothing from elsewhere and runs nothing but its filter.

import { createHash } from 'node:crypto';
import { type Guide, guidesIn } from '#docs/guides.ts';
import { Html, html, prose } from '#docs/html.ts';
import type { ChapterSection } from '#docs/markdown-html.ts';
import { type Group, groupsOf, headingOf, type OperationFacts } from '#docs/openapi/operation-facts.ts';
import { PRODUCT_NAME, productManifest } from '#docs/product.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { GROUP_SUMMARIES } from './group-summaries.ts';
import { type ReferenceChapter, referenceChapters, sectionId } from './reference-chapters.ts';
import { ABOUT, INTRO, type IntroSection } from './reference-intro.ts';
import { SCRIPT } from './reference-script.ts';
import { STYLE } from './reference-style.ts';
import { errorTable, fieldTable, parameterTable, remarksOf, type Table } from './reference-tables.ts';

export interface PageOptions {
  /** Where the examples call. */
  readonly url?: string;
  readonly guides?: readonly Guide[];
}

/** `policy` is the content security policy under which the page works. */
export function referencePage(
  endpoints: readonly AnyEndpoint[],
  { url, guides = guidesIn() }: PageOptions = {},
): { html: string; policy: string } {
  const groups = groupsOf(endpoints, url);
  const chapters = referenceChapters(guides);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${PRODUCT_NAME} reference</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${navigation(groups, chapters)}
<main>
${opening()}
${groups.map(section)}${chapters.map(chapterHtml)}</main>
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`;
  return { html: page.text, policy: policy() };
}

function policy(): string {
  const allowed = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'`;
  return `${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

function navigation(groups: readonly Group[], chapters: readonly ReferenceChapter[]): Html {
  return html`<nav aria-label="Contents">
<a class="home" href="#top">${PRODUCT_NAME}</a>
<input id="filter" type="search" placeholder="Filter" aria-label="Filter the reference" autocomplete="off" hidden>
<ul>
${INTRO.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}${groups.map(navigationGroup)}${chapters.map(navigationChapter)}</ul>
</nav>`;
}

function navigationGroup(group: Group): Html {
  const links = group.operations.map(
    ({ id, method, title }) => html`<li>${methodMark(method)} <a href="#${id}">${title}</a></li>\n`,
  );
  return html`<li><a class="group" href="#${groupId(group)}">${headingOf(group)}</a>
<ul>
${links}</ul>
</li>
`;
}

function navigationChapter(chapter: ReferenceChapter): Html {
  const links = chapter.sections.map(
    ({ slug, title }) => html`<li class="topic"><a href="#${sectionId(chapter, slug)}">${plainTitle(title)}</a></li>\n`,
  );
  return html`<li><a class="group" href="#${chapter.id}">${capitalized(chapter.title)}</a>
<ul>
${links}</ul>
</li>
`;
}

const plainTitle = (title: string) => title.replaceAll('`', '');

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// Operations have ids without a dash, so the two never meet.
const groupId = ({ name }: Group) => `group-${name}`;

const methodMark = (method: string) => html`<span class="method ${method}">${method}</span>`;

function opening(): Html {
  return html`<header id="top">
<h1>${PRODUCT_NAME} reference <span class="version">${productManifest().version}</span></h1>
<p class="lead">${ABOUT}</p>
</header>
<section class="intro">
${INTRO.map(introSection)}${tableOf(errorTable())}
</section>
<p id="none" hidden>Nothing matches the filter.</p>`;
}

const introSection = ({ id, title, points }: IntroSection) => html`<h2 id="${id}">${title}</h2>
<ul>
${points.map((point) => html`<li>${prose(point)}</li>\n`)}</ul>
`;

function section(group: Group): Html {
  const id = groupId(group);
  return html`<section>
<h2 id="${id}"><a href="#${id}">${headingOf(group)}</a></h2>
<p class="lead">${prose(GROUP_SUMMARIES[group.name] ?? '')}</p>
${group.operations.map(article)}</section>
`;
}

function chapterHtml(chapter: ReferenceChapter): Html {
  const { id, title, opening, sections } = chapter;
  return html`<section>
<h2 id="${id}"><a href="#${id}">${capitalized(title)}</a></h2>
${opening}${sections.map((part) => chapterArticle(chapter, part))}</section>
`;
}

function chapterArticle(chapter: ReferenceChapter, { slug, title, body }: ChapterSection): Html {
  const id = sectionId(chapter, slug);
  return html`<article id="${id}" class="rows">
<h3><a href="#${id}">${prose(title)}</a></h3>
${body}</article>
`;
}

function article(facts: OperationFacts): Html {
  const { id, title, method, path, notes, parameters, example } = facts;
  return html`<article id="${id}">
<h3><a href="#${id}">${title}</a></h3>
<p class="call">${methodMark(method)} <code>${path}</code></p>
${notes ? paragraphs(notes) : ''}${remarkList(facts)}
${parameters.length > 0 ? tableOf(parameterTable(facts)) : ''}
<pre tabindex="0" aria-label="Example"><code>${example}</code></pre>
${answerPart(facts)}</article>
`;
}

/** An empty line of the text begins the next one. */
const paragraphs = (text: string): Html => html`${text.split('\n\n').map((one) => html`<p>${prose(one)}</p>\n`)}`;

function remarkList(facts: OperationFacts): Html {
  return html`<dl>${remarksOf(facts).map(([name, text]) => html`<dt>${name}</dt><dd>${prose(text)}</dd>`)}</dl>`;
}

function answerPart(facts: OperationFacts): Html {
  if (facts.fields.length === 0) return html``;
  return html`<details>
<summary>Fields of the answer <span class="count">${String(facts.fields.length)}</span></summary>
${tableOf(fieldTable(facts))}
</details>
`;
}

function tableOf({ head, rows }: Table): Html {
  return html`<div class="wide"><table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${prose(cell)}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}
