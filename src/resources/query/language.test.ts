import { describe, expect, it } from 'vitest';
import { serviceFor } from '#test/support/suites.ts';

describe('GET /query-language', () => {
  const { call } = serviceFor();
  const PATH = '/api/core/query-language';

  it('tells the commands and functions of the language without permission', async () => {
    const { status, json, headers } = await call('GET', PATH, { key: '' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(json)).toEqual(['version', 'commands', 'functions']);
    const stats = json.commands.find(({ name }: { name: string }) => name === 'stats');
    expect(stats).toMatchObject({ kind: 'transforming', syntax: expect.stringContaining('stats ') });
    expect(json.functions).toContainEqual({
      name: 'nvl',
      kind: 'scalar',
      syntax: 'nvl(x, y)',
      summary: 'x, or y if x is null.',
      returns: 'any',
    });
  });

  it('speaks both languages, with a tag for each', async () => {
    const english = await call('GET', PATH);
    const korean = await call('GET', `${PATH}?locale=ko-KR`);
    const search = korean.json.commands.find(({ name }: { name: string }) => name === 'search');
    expect(search.summary).toBe('식이 참인 행만 남깁니다.');
    expect(english.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    expect(korean.headers.get('etag')).not.toBe(english.headers.get('etag'));
    expect((await call('GET', PATH)).headers.get('etag')).toBe(english.headers.get('etag'));
    const known = { 'if-none-match': `"x", ${english.headers.get('etag')}` };
    expect(await call('GET', PATH, { headers: known })).toMatchObject({ status: 304, text: '' });
    expect((await call('GET', `${PATH}?locale=ko`, { headers: known })).status).toBe(200);
    expect((await call('GET', `${PATH}?locale=de`)).json).toMatchObject({ error_code: 'invalid-argument' });
  });
});
