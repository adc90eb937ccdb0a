// The reference as a Markdown document, for reading beside the code.

import { code, markdownCode, markdownList, markdownTable, plain } from '#docs/markdown.ts';
import { type Group, groupsOf, headingOf, type OperationFacts } from '#docs/openapi/operation-facts.ts';
import { PRODUCT_NAME } from '#docs/product.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { ABOUT, INTRO, type IntroSection } from './reference-intro.ts';
import { errorTable, fieldTable, parameterTable, remarksOf } from './reference-tables.ts';

/** `url` is where the examples call. */
export function referenceMarkdown(endpoints: readonly AnyEndpoint[], url?: string): string {
  const groups = groupsOf(endpoints, url);
  const parts = [
    `# ${PRODUCT_NAME}: REST interface`,
    ABOUT,
    '## Contents',
    ...groups.map(contents),
    ...INTRO.flatMap(introSection),
    markdownTable(errorTable()),
    ...groups.flatMap(section),
  ];
  return `${parts.join('\n\n')}\n`;
}

function contents({ operations, ...group }: Group): string {
  const links = operations.map(({ title }) => `[${plain(title)}](#${slug(title)})`);
  return `**${headingOf(group)}**: ${links.join(' · ')}`;
}

/** The anchor that GitHub and others give a heading. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

const introSection = ({ title, points }: IntroSection) => [`## ${title}`, markdownList(points)];

const section = (group: Group) => [`## ${headingOf(group)}`, ...group.operations.flatMap(operation)];

function operation(facts: OperationFacts): string[] {
  const { title, method, path, notes, parameters, fields, example } = facts;
  return [
    `### ${plain(title)}`,
    code(`${method} ${path}`),
    ...(notes ? [plain(notes)] : []),
    markdownList(remarksOf(facts).map(([name, text]) => `${name}: ${text}`)),
    ...(parameters.length > 0 ? [markdownTable(parameterTable(facts))] : []),
    ...(fields.length > 0 ? [markdownTable(fieldTable(facts))] : []),
    markdownCode(example, 'sh'),
  ];
}
