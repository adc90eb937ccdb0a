import { describe, expect, it } from 'vitest';
import { factsOf } from '#docs/openapi/operation-facts.ts';
import { allEndpoints } from '#resources/index.ts';
import { answerErrors, type HeardAnswer } from '#test/support/answer-errors.ts';
import { schemaErrors } from '#test/support/schema-errors.ts';

const endpoints = allEndpoints();

const heard = (answer: Partial<HeardAnswer> & { readonly json: unknown }): string[] => {
  const { json, ...rest } = answer;
  const text = JSON.stringify(json);
  const whole = {
    method: 'GET',
    url: '/api/core/parsers',
    status: 200,
    contentType: 'application/json',
    text,
    ...rest,
  };
  return answerErrors(whole, endpoints).map((error) => error.replace(/^.* \d{3}: (.*) in .*$/, '$1'));
};

const parser = { code: 'csv', name: 'CSV', description: 'x', factory_name: 'csv', builtin: true };

describe('Every answer of a test', () => {
  const rows: readonly (readonly [sentence: string, answer: Parameters<typeof heard>[0], errors: readonly string[]])[] =
    [
      ['may be what its operation declares', { json: { total_count: 1, parsers: [parser] } }, []],
      [
        'has every field',
        { json: { total_count: 1, parsers: [{ ...parser, name: undefined }] } },
        ['/parsers/0/name is missing'],
      ],
      ['has no other field', { json: { total_count: 0, parsers: [], more: 1 } }, ['/more is not declared']],
      ['has fields of their types', { json: { total_count: '0', parsers: [] } }, ['/total_count is no integer: "0"']],
      ['has a status of its operation', { json: {}, status: 201 }, ['is a status that the operation does not declare']],
      ['may be an error', { json: { error_code: 'x', error_msg: 'y' }, status: 500 }, []],
      [
        'is no error of another form',
        { json: { message: 'y' }, status: 500 },
        ['/error_code is missing', '/error_msg is missing', '/message is not declared'],
      ],
      [
        'is one of an operation that exists',
        { json: {}, url: '/api/core/nothing' },
        ['is a success of an operation that does not exist'],
      ],
      [
        'is known by its path, not by its parameters',
        { json: { status: 'not-ready', checks: {} }, url: '/readyz?x=1', status: 503 },
        [],
      ],
      [
        'of a root operation is an error only where that is declared',
        { json: { error_code: 'x', error_msg: 'y' }, url: '/healthz', status: 418 },
        ['is an error that the operation does not declare'],
      ],
    ];

  it.each(rows)('%s', (_, answer, errors) => {
    expect(heard(answer)).toEqual(errors);
  });
});

describe('The example of an answer', () => {
  it('is as its schema says, in every operation that answers with JSON', () => {
    const examples = endpoints
      .map((endpoint) => factsOf(endpoint))
      .filter(({ answerExample }) => 'example' in answerExample);
    expect(examples.length).toBeGreaterThan(150);
    const wrong = examples.flatMap(({ title, answer, answerExample }) =>
      schemaErrors(answerExample.example, answer).map((error) => `${title}: ${error}`),
    );
    expect(wrong).toEqual([]);
  });
});
