// The reference as one page that needs nothing from elsewhere and runs nothing.

import { createHash } from 'node:crypto';
import type { AnyEndpoint } from '#http/endpoint.ts';
import { PRODUCT_NAME, productManifest } from '#http/product.ts';
import { Html, html, prose } from './html.ts';
import { type Group, groupsOf, headingOf, type OperationFacts } from './operation-facts.ts';
import { ABOUT, INTRO, type IntroSection } from './reference-intro.ts';
import { STYLE } from './reference-style.ts';
import { errorTable, fieldTable, parameterTable, remarksOf, type Table } from './reference-tables.ts';

/** `url` is where the examples call; `policy` is the content security policy under which the page works. */
export function referencePage(endpoints: readonly AnyEndpoint[], url?: string): { html: string; policy: string } {
  const groups = groupsOf(endpoints, url);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${PRODUCT_NAME} reference</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${navigation(groups)}
<main>
${opening()}
${groups.map(section)}</main>
</body>
</html>
`;
  return { html: page.text, policy: policyFor(STYLE) };
}

function policyFor(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const allowed = `default-src 'none'; style-src 'sha256-${hash}'`;
  return `${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

function navigation(groups: readonly Group[]): Html {
  return html`<nav aria-label="Contents">
<a class="home" href="#top">${PRODUCT_NAME}</a>
<ul>
${INTRO.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}${groups.map(navigationGroup)}</ul>
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
</section>`;
}

const introSection = ({ id, title, points }: IntroSection) => html`<h2 id="${id}">${title}</h2>
<ul>
${points.map((point) => html`<li>${prose(point)}</li>\n`)}</ul>
`;

function section(group: Group): Html {
  const id = groupId(group);
  return html`<section>
<h2 id="${id}"><a href="#${id}">${headingOf(group)}</a></h2>
${group.operations.map(article)}</section>
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
