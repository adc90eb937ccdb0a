// Content types of pushes to a table, and what is made of their bodies.

import { beforeAll, describe } from 'vitest';
import { type PushScenario, pushScenarios, took } from '#test/support/pushes.ts';
import { refused, serviceFor } from '#test/support/suites.ts';

const FORM = 'application/x-www-form-urlencoded';
const LONG_NAME = 'n'.repeat(51);
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

const sniffed = (body: string, keeps: readonly object[], type = FORM): PushScenario => ({
  it: `of ${JSON.stringify(body)} as ${type || 'no type'}`,
  to: 'web',
  type,
  body,
  answers: took(keeps.length),
  keeps,
});

const BODIES: readonly PushScenario[] = [
  sniffed('{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]),
  sniffed('{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }], ''),
  sniffed('\uFEFF \r\n\t{"a":"=&+%41"}', [{ a: '=&+%41' }]),
  sniffed('[{"a":1},{"a":"한"}]', [{ a: 1 }, { a: '한' }]),
  sniffed(' [{"a":1}]\n', [{ a: 1 }], ''),
  sniffed('[2024-01-01] started', [{ line: '[2024-01-01] started' }]),
  sniffed('[{"a":1}] [x]', [{ line: '[{"a":1}] [x]' }]),
  sniffed('a=1&b=%20', [{ line: 'a=1&b=%20' }]),
  sniffed('one\n\ntwo', [{ line: 'one' }, { line: 'two' }], ''),
  sniffed('', []),
  sniffed('', [], ''),
  sniffed('{"a":1}', [{ line: '{"a":1}' }], 'text/plain'),
  sniffed('{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }], 'application/stream+json'),
  sniffed('\u001e{"a":1}\n\u001e{"a":\n2}\n\u001e\n', [{ a: 1 }, { a: 2 }], 'application/json-seq'),
  sniffed('{"a":1}\u001e{"a":2}', [{ a: 1 }, { a: 2 }], 'application/json-seq'),
  {
    it: 'as a sequence has its texts counted, and a bad one hinders no other',
    to: 'web',
    type: 'application/json-seq',
    body: '\u001e{"a":1}\n{"a":2}\n\u001e{"a":3}\r\n\u001e{"a"\n\u001e\u001e4\n\u001e{"a":"\n"}\u001e{"a":5}',
    answers: took(2, [
      { line: 1, reason: 'malformed-json' },
      { line: 3, reason: 'malformed-json' },
      { line: 5, reason: 'not-an-object' },
      { line: 6, reason: 'malformed-json' },
    ]),
    keeps: [{ a: 3 }, { a: 5 }],
  },
  {
    it: 'has a reason for each line that is not kept',
    to: 'web',
    body: `{"a":\n7\n{"a":"${'x'.repeat(1000)}"}\n{"_time":"soon"}\n{"a":8}`,
    answers: took(1, [
      { line: 1, reason: 'malformed-json' },
      { line: 2, reason: 'not-an-object' },
      { line: 3, reason: 'line-too-long' },
      { line: 4, reason: 'invalid-time' },
    ]),
    keeps: [{ a: 8 }],
  },
  {
    it: 'of text is read by its parser, whose failures are told',
    to: 'web?parser=json',
    type: 'text/plain',
    body: 'no json\n{"b":1}',
    answers: took(1, [{ line: 1, reason: 'parse-failed' }]),
    keeps: [{ b: 1 }],
  },
  {
    it: 'of text is read by a parser that was created',
    to: 'web?parser=pairs',
    body: 'c=1 d=x',
    type: '',
    answers: took(1),
    keeps: [{ c: '1', d: 'x' }],
  },
  {
    it: 'of JSON is read by no parser, whatever is named',
    to: 'web?parser=nope',
    body: '{"e":1}',
    answers: took(1),
    keeps: [{ e: 1 }],
  },
  {
    it: 'of text with an unknown parser is refused',
    to: 'web?parser=nope',
    type: '',
    body: 'x',
    answers: illegal('parser not found: nope'),
    keeps: [],
  },
  {
    it: 'with a long name of a parser is refused',
    to: `web?parser=${LONG_NAME}`,
    body: '{}',
    answers: invalid("'parser' must be shorter than or equal to 50 characters."),
    keeps: [],
  },
];

describe('The body of a push to a table', () => {
  const subject = serviceFor({ flags: { 'line-limit': '1000' } });
  beforeAll(async () => {
    const form = { code: 'pairs', name: 'pairs', factory_name: 'key-value' };
    await subject.call('POST', '/api/core/parsers', { form });
  });
  pushScenarios(subject, BODIES);
});
