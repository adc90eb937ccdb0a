// Texts of the editor of queries, on every page that has one.

import type { Labels } from './en.ts';

export const queryEditorEn = {
  label: 'Query',
  placeholder: 'table web | search status >= 500',
  replaceWith: (text: string) => `Replace with ${text}`,
};

export const queryEditorKo: Labels['queryEditor'] = {
  label: '쿼리',
  placeholder: 'table web | search status >= 500',
  replaceWith: (text) => `${text}(으)로 바꾸기`,
};
