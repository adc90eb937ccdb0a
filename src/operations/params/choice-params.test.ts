import { describe, expect, it } from 'vitest';
import { curlExample } from '#docs/openapi/curl-example.ts';
import { factsOf } from '#docs/openapi/operation-facts.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type AnyEndpoint, endpoint } from '#operations/endpoint.ts';
import { locale, onlyWith, someOf } from './choice-params.ts';
import { int, oneOf, required, text } from './params.ts';

const CONTEXT = { now: Temporal.Instant.from('2024-03-01T00:00:00Z'), maxGuids: 5 };

describe('Several of a closed set', () => {
  const reader = someOf(['a', 'b']);
  const read = (...raw: string[]) => reader.read(raw, 'p', CONTEXT);

  it('are read each once, in the order in which they were given', () => {
    expect(read('b, a,b')).toEqual(['b', 'a']);
    expect(read('a', 'b')).toEqual(['a', 'b']);
    expect(read()).toBeUndefined();
    expect(read(' , ')).toBeUndefined();
  });

  it('are refused when one is not of the set', () => {
    expect(() => read('a,A')).toThrow("p value must be one of 'a', 'b'.");
  });
});

describe('A parameter that goes with another one', () => {
  const reader = onlyWith('kind', 'big', required(int(1n, 9n)));
  const read = (raw: readonly string[], kind?: string) => reader.read(raw, 'size', CONTEXT, { kind });

  it('is read, and required, with it', () => {
    expect(read(['5'], 'big')).toBe(5);
    expect(() => read([], 'big')).toThrow('size should be not null');
    expect(() => read(['10'], 'big')).toThrow("'size' must be less than or equal to 9.");
  });

  it('is not looked at without it', () => {
    expect(read(['wrong', 'twice'], 'small')).toBeUndefined();
    expect(read(['5'])).toBeUndefined();
  });

  it('is described so, and shown in examples where that is wanted', () => {
    const params = {
      kind: required(oneOf(['big', 'small'])),
      size: { ...reader, isInExample: true },
      note: onlyWith('kind', 'small', text(5)),
    };
    const declared = {
      title: 'Try',
      method: 'POST',
      path: '/api/core/tries',
      access: 'ADMIN',
      params,
      answer: nothing,
    } as const;
    // Erased like in the list of all operations.
    const facts = factsOf(endpoint({ ...declared, run: async () => ({}) }) as unknown as AnyEndpoint);
    expect(facts.parameters.map(({ rule }) => rule)).toEqual([
      'one of `big`, `small`',
      'Required with `kind` `big`. 1 to 9.',
      'Read with `kind` `small`. At most 5 characters.',
    ]);
    expect(curlExample(facts)).toContain("--data-urlencode 'size=1'");
    expect(curlExample(facts)).not.toContain('note=');
  });
});

describe('A locale', () => {
  it.each([
    ['ko', 'ko'],
    ['KO', 'ko'],
    ['ko-KR', 'ko'],
    ['ko_KR.UTF-8', 'ko'],
    ['En-us', 'en'],
  ])('is read by its language part: %s', (raw, language) => {
    expect(locale.read([raw], 'locale', CONTEXT)).toBe(language);
  });
});
