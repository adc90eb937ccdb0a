// What the reference page holds beside the operations: the query language, the parsers, the settings and the guides, each
// rendered from its Markdown.

import type { Guide } from '#docs/guides.ts';
import { commandsReference } from '#docs/language/commands-reference.ts';
import { errorsReference } from '#docs/language/errors-reference.ts';
import { functionsReference } from '#docs/language/functions-reference.ts';
import { parsersReference } from '#docs/language/parsers-reference.ts';
import { type Chapter, chapterOf, type LinkTarget, sectionSlugs } from '#docs/markdown-html.ts';
import { settingsReference } from '#docs/settings-reference.ts';

export interface ReferenceChapter extends Chapter {
  /** Its anchor; those of its sections begin with it. */
  readonly id: string;
}

export function referenceChapters(guides: readonly Guide[]): ReferenceChapter[] {
  const documents = [
    ...guides,
    { name: 'commands', markdown: commandsReference() },
    { name: 'functions', markdown: functionsReference() },
    { name: 'parsers', markdown: parsersReference() },
    { name: 'errors', markdown: errorsReference() },
    { name: 'settings', markdown: settingsReference() },
  ];
  const anchors = new Set(documents.flatMap(anchorsIn));
  return documents.map(({ name, markdown }) => {
    const chapter = chapterOf(markdown, linksFrom(name, anchors));
    return { ...chapter, id: chapterId(name), title: chapter.title.replace(/^[^:]+: /, '') };
  });
}

export const sectionId = (chapter: ReferenceChapter, slug: string): string => `${chapter.id}-${slug}`;

/** Operations have ids without a dash, groups begin with another word. */
const chapterId = (name: string) => `chapter-${name}`;

function anchorsIn({ name, markdown }: Guide): string[] {
  return [chapterId(name), ...sectionSlugs(markdown).map((slug) => `${chapterId(name)}-${slug}`)];
}

/** `#x` is a section of the same document, `y.md#x` of another; what is not on the page has no link. */
function linksFrom(name: string, anchors: ReadonlySet<string>): LinkTarget {
  return (target) => {
    const parts = /^(?:(?:[\w./-]*\/)?([\w-]+)\.md)?(?:#(.+))?$/.exec(target);
    if (!parts) return undefined;
    const [, file = '', section = ''] = parts;
    const chapter = chapterId(file === '' ? name : file);
    const anchor = section === '' ? chapter : `${chapter}-${section}`;
    return anchors.has(anchor) ? anchor : undefined;
  };
}
