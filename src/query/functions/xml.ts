// Functions of XML inside of text; the command parsexml extracts the fields of whole documents.

import type { Argument, FunctionDeclaration } from '#query/model/function.ts';
import { isLocationPath, xpath } from '#query/values/formats/xpath.ts';
import { JSON_WEIGHT } from '#query/values/steps.ts';
import { notConstant } from '#query/values/typing.ts';
import { s } from './arguments.ts';

const path: Argument = {
  type: 'string',
  constant: true,
  check(literal, context) {
    if (!isLocationPath(String(literal.value))) throw notConstant(literal, { ...context, type: 'XPath' });
  },
};

export const xml: readonly FunctionDeclaration[] = [
  {
    name: 'xpath',
    group: 'strings',
    syntax: 'xpath(s, path)',
    summary: {
      en: 'The text of the first node of an XML document that a location path selects: `/a/b`, `//b`, `*`, `@attribute`, `text()`, `.`, `..` and conditions `[2]`, `[last()]`, `[b]`, `[@c]`, `[b="x"]`, `[@c!="x"]`. Null if there is no such node or the text is no XML.',
      ko: 'XML 문서에서 경로가 고른 첫 노드의 텍스트입니다.',
    },
    args: [s, path],
    result: 'string',
    nulls: 'null',
    baseSteps: 8,
    weight: JSON_WEIGHT,
    local: ([text, steps]) => xpath(`${text}`, `${steps}`),
    examples: [{ text: 'xpath("<e><u id=\'7\'>kim</u></e>", "/e/u[@id=\'7\']")', gives: 'kim' }],
  },
];
