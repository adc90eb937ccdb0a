import { parser } from './parser.ts';

export const text = parser({
  code: 'text',
  name: 'Text',
  description: 'Each line becomes the field `line`.',
  configs: {},
  example: { line: 'disk full', fields: { line: 'disk full' } },
  isCopying: true,
  compile: async () => (line) => ({ fields: new Map([['line', line]]) }),
});
