// The OpenAPI document of a running service, read by validators that know nothing of this project.

import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { serviceFor } from '#test/support/suites.ts';

const { call } = serviceFor();

const documentText = async (): Promise<string> => (await call('GET', '/openapi.json', { key: null })).text;

/** Errors and warnings, each as its rule, its place in the document and its text. */
async function problemsIn(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'tag-description': 'error',
      // The service's own operations, such as /healthz, have no parameters and need no key: no request to them is wrong.
      'operation-4xx-response': 'off',
    },
  });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`);
}

describe('The OpenAPI document', () => {
  it('is valid for @apidevtools/swagger-parser', async () => {
    const document = JSON.parse(await documentText());
    const paths = Object.keys(document.paths);
    expect(Object.keys((await SwaggerParser.validate(document)).paths ?? {})).toEqual(paths);
  });

  it('has no errors and no warnings for @redocly/openapi-core, examples included', async () => {
    expect(await problemsIn(await documentText())).toEqual([]);
  });

  it('is checked at all: both validators refuse a document that is wrong', async () => {
    const document = JSON.parse(await documentText());
    document.components.responses.Error401.content['application/json'].examples.wrong = { value: { error_code: 7 } };
    expect((await problemsIn(JSON.stringify(document))).join('\n')).toContain('no-invalid-media-type-examples');
    document.paths['/healthz'].get.parameters = [{ name: 'nowhere' }];
    await expect(SwaggerParser.validate(document)).rejects.toThrow();
  });
});
