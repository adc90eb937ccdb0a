// Errors and warnings about the text of a query on the command line.

import { describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { type Script, type StandInStatus, startQueryStandIn } from '#test/support/query-service.ts';

async function vigil(args: readonly string[], script: Script = {}, context: CliContext = {}) {
  await using service = await startQueryStandIn(script);
  const environment = { VIGIL_URL: service.url, VIGIL_KEY: 'vgl_key', ...context.environment };
  const captured = await runCli(['query', ...args], { ...context, environment });
  return { ...captured, calls: service.calls(), heard: service.heard };
}

const done = (status: StandInStatus): readonly (readonly StandInStatus[])[] => [[{ is_finished: true, ...status }]];

describe('A warning about the text of vigil query', () => {
  it.each([
    [
      'C',
      [
        'vigil: line 1, column 28: warning: kim is read as a field, and there is none (90904)',
        '  table web | search user == kim',
        '                             ^^^',
        '  did you mean kin, kym?',
        '  text stands in double quotes: "kim"',
      ],
    ],
    [
      'ko_KR.UTF-8',
      [
        "vigil: 1행 28열: 경고: 'kim': 필드 이름으로 읽었으나 그런 필드가 없습니다 (90904)",
        '  table web | search user == kim',
        '                             ^^^',
        '  혹시 kin, kym?',
        '  문자열은 큰따옴표로 씁니다: "kim"',
      ],
    ],
  ])('shows warnings with their places and hints before the rows, once (%s)', async (LANG, lines) => {
    const text = 'table web | search user == kim';
    const span = { begin: 27, end: 30 };
    const warning = {
      code: 90904,
      message: 'warning: kim is read as a field, and there is none',
      ...span,
      line: 1,
      column: 28,
      suggestion: 'kin',
      suggestions: ['kin', 'kym'],
    };
    const message = 'text stands in double quotes: "kim"';
    const hint = { code: 91038, of: 90904, message, ...span, replacement: '"kim"' };
    const events = done({ warnings: [warning.message], notices: [warning], hints: [hint] });
    const early = await vigil(
      [text],
      { events, begun: { warnings: [warning], hints: [hint] } },
      { environment: { LANG } },
    );
    expect(early.stderr.split('\n')).toEqual([...lines, '']);
    const late = await vigil([text], { events }, { environment: { LANG } });
    expect(late.stderr.split('\n')).toEqual([...lines, '']);
  });
});

describe('A mistake in the text of vigil query', () => {
  const text = 'table web |\n  eval 이름 = "가", x = nme';
  const script: Script = {
    refusal: { error_code: 'invalid-query', error_msg: '(10001) there is no table nme at 2:22' },
    mistakes: [
      { code: 10001, message: 'there is no table nme', begin: 33, end: 36, line: 2, column: 22, suggestion: 'name' },
    ],
  };

  it.each([
    ['C', ['vigil: line 2, column 22: there is no table nme (10001)', '  did you mean name?']],
    ['ko_KR.UTF-8', ["vigil: 2행 22열: 'nme' 테이블이 없습니다 (10001)", '  혹시 name?']],
  ])('is shown at its place, with what may have been meant (%s)', async (LANG, [head, hint]) => {
    const { exitCode, stdout, stderr, calls, heard } = await vigil([text, '--param', 'a=1'], script, {
      environment: { LANG: LANG ?? '' },
    });
    const excerpt = ['    eval 이름 = "가", x = nme', `${' '.repeat(26)}^^^`];
    expect(stderr.split('\n')).toEqual([head, ...excerpt, hint, '']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(calls).toEqual(['POST /cursors', 'POST /queries/check']);
    expect(JSON.parse(heard[1]?.body ?? '')).toEqual({ q: text, params: '{"a":1}' });
  });

  it('is shown from the refusal itself, with warnings and hints, without a further request', async () => {
    const span = { begin: 33, end: 36, line: 2, column: 22, suggestion: null, suggestions: [] };
    const refusal = {
      error_code: 'invalid-query',
      error_msg: '(92000) there is no command nme at 2:22',
      mistakes: [{ code: 92000, message: 'there is no command nme', ...span }],
      warnings: [
        { code: 90901, message: 'warning: the rows have no defined order before eval', ...span, begin: 14, end: 18 },
      ],
      hints: [{ code: 91029, of: 92000, message: 'a group gets its name by (?<name>…)', ...span, replacement: null }],
    };
    const { stderr, calls } = await vigil([text], { refusal }, { environment: { LANG: 'C' } });
    expect(calls).toEqual(['POST /cursors']);
    expect(stderr.split('\n').filter((line) => !/eval 이름|\^/.test(line))).toEqual([
      'vigil: line 2, column 22: warning: the rows have no defined order before eval (90901)',
      'vigil: line 2, column 22: there is no command nme (92000)',
      '  a group gets its name by (?<name>…)',
      '',
    ]);
  });

  it('is followed by the text as it should read, which --yes runs', async () => {
    const span = { begin: 33, end: 36, line: 2, column: 22, suggestion: null, suggestions: [] };
    const refusal = {
      error_code: 'invalid-query',
      error_msg: 'refused',
      mistakes: [{ code: 92000, message: 'there is no command nme', ...span }],
      hints: [{ code: 91010, of: 92000, message: 'search', ...span, replacement: 'search' }],
    };
    const { exitCode, stderr, calls } = await vigil([text], { refusal, replacement: 'table web' });
    expect([exitCode, calls]).toEqual([2, ['POST /cursors', 'POST /queries/check']]);
    expect(stderr.split('\n').at(-2)).toBe('meant as: table web');
  });

  it('is told in the words of the refusal where it is gone by then', async () => {
    const { exitCode, stderr } = await vigil([text], { ...script, mistakes: [] });
    expect([exitCode, stderr]).toEqual([1, 'vigil: (10001) there is no table nme at 2:22 (invalid-query)\n']);
  });
});
