import { describe, expect, it } from 'vitest';
import { GROUP_SUMMARIES } from '#docs/reference/group-summaries.ts';
import { nothing } from '#operations/answers/shapes.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { anyText, guid, guids, type JsonSchema, orElse, required, secret, text } from '#operations/params/params.ts';
import { isParameterType } from '#operations/requests/body-params.ts';
import { allEndpoints } from '#resources/index.ts';
import { flaws, schemasIn } from '#test/support/json-schemas.ts';
import { openapiOf } from './openapi.ts';

const endpoints = allEndpoints();

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Record<string, unknown> }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

interface Body {
  readonly required: boolean;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly encoding?: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object; readonly responses: Record<string, object> };
}

/** What a client reads: the document as JSON. */
const read = (of: readonly AnyEndpoint[]): Document => JSON.parse(JSON.stringify(openapiOf(of)));

const document = read(endpoints);
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const pairs = () => endpoints.map((endpoint) => ({ endpoint, operation: operationOf(document, endpoint) }));

function operationOf({ paths }: Document, { path, method }: AnyEndpoint): Operation {
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not described`);
  return operation;
}

const made = (declared: Partial<AnyEndpoint>): AnyEndpoint => ({
  title: 'Made for a test',
  method: 'POST',
  path: '/api/core/things',
  access: 'ADMIN',
  params: {},
  answer: nothing,
  run: async () => ({}),
  ...declared,
});

const describedAs = (declared: Partial<AnyEndpoint>): Operation => operationOf(read([made(declared)]), made(declared));

describe('The OpenAPI description', () => {
  it('is of version 3.1.0 and names product and version', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Vigil' }, servers: [{ url: '/' }] });
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('describes every operation under its method, and nothing else', () => {
    expect(pairs().map(({ endpoint, operation }) => [endpoint.title, operation.summary])).toEqual(
      endpoints.map(({ title }) => [title, title]),
    );
    expect(described.length).toBe(endpoints.length);
  });

  it('says of every group of operations what it is about', () => {
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual(Object.keys(GROUP_SUMMARIES).toSorted());
    expect(document.tags.map(({ description }) => description)).toEqual(
      document.tags.map(({ name }) => GROUP_SUMMARIES[name]),
    );
  });

  it('gives every operation an id of its own, which every language can take as a name', () => {
    const ids = described.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z0-9]+$/.test(id))).toEqual([]);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  });

  it('survives being written as JSON', () => {
    expect(openapiOf(endpoints)).toStrictEqual(document);
  });

  it('names only tags, security schemes and components that it defines', () => {
    const tags = document.tags.map(({ name }) => name);
    expect(described.flatMap(({ operation }) => operation.tags).filter((tag) => !tags.includes(tag))).toEqual([]);
    const used = [document.security, ...described.map(({ operation }) => operation.security ?? [])];
    const schemes = new Set(used.flat().flatMap((scheme) => Object.keys(scheme)));
    expect([...schemes].toSorted()).toEqual(Object.keys(document.components.securitySchemes).toSorted());
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((target) => resolved(target) === undefined)).toEqual([]);
  });

  it('holds only well-formed schemas', () => {
    expect(schemasIn(document).length).toBeGreaterThan(100);
    expect(schemasIn(document).flatMap(flaws)).toEqual([]);
  });

  it('finds flaws in schemas at all, so that the check above can fail', () => {
    const bad: JsonSchema[] = [
      { type: 'text' },
      { type: 'array' },
      { type: 'string', pattern: '[' },
      { type: 'object', properties: {}, required: ['name'] },
      { type: 'integer', default: 'one' },
      { enum: [] },
    ];
    expect(bad.filter((schema) => flaws(schema).length === 0)).toEqual([]);
  });

  it('describes every answer, with a media type that fits', () => {
    for (const { endpoint, operation } of pairs()) {
      const { method, answerStatus = 200, answerType = 'application/json', furtherTypes = [] } = endpoint;
      const hasBody = answerStatus !== 204 && method !== 'HEAD';
      const types = Object.keys(operation.responses[answerStatus]?.content ?? {});
      expect(types, endpoint.title).toEqual(hasBody ? [answerType, ...furtherTypes] : []);
    }
    const statuses = described.flatMap(({ operation }) => Object.keys(operation.responses));
    expect(statuses.filter((status) => !/^([2-5]\d\d|default)$/.test(status))).toEqual([]);
    expect(Object.values(document.components.responses).filter((response) => !('description' in response))).toEqual([]);
  });
});

describe('The parameters in the OpenAPI description', () => {
  it('are all those declared, each where it is read from', () => {
    for (const { endpoint, operation } of pairs()) {
      const inBody = Object.keys(bodySchema(operation)?.properties ?? {});
      const outside = operation.parameters.map(({ name }) => name);
      const found = new Set([...outside, ...inBody]);
      expect([...found].toSorted(), endpoint.title).toEqual(Object.keys(endpoint.params).toSorted());
      if (endpoint.method === 'GET') expect(inBody, endpoint.title).toEqual([]);
    }
  });

  it('include those of the path, required, and no others as such', () => {
    for (const { path, operation } of described) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(
        inPath.map(({ name }) => name),
        path,
      ).toEqual(named);
      expect(
        inPath.filter((parameter) => !parameter.required),
        path,
      ).toEqual([]);
    }
    expect(described.filter(({ path }) => path.includes(':'))).toEqual([]);
  });

  it('of POST and PUT are in the body, those read from the query string too in both', () => {
    const params = { name: required(text(255)), loud: { ...anyText, isInQuery: true } };
    const { parameters, requestBody } = describedAs({ params });
    expect(parameters.map((parameter) => [parameter.in, parameter.name])).toEqual([['query', 'loud']]);
    expect(requestBody?.required).toBe(true);
    expect(requestBody?.content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { name: { type: 'string', maxLength: 255, minLength: 1 }, loud: { type: 'string' } },
      required: ['name'],
    });
  });

  it('of DELETE are in the query string and in the body, required in neither alone', () => {
    const params = { guid: required(guid), guids: required(guids) };
    const { parameters, requestBody } = describedAs({ method: 'DELETE', path: '/api/core/things/:guid', params });
    expect(parameters.map((parameter) => [parameter.in, parameter.name, parameter.required])).toEqual([
      ['path', 'guid', true],
      ['query', 'guids', false],
    ]);
    expect(requestBody?.required).toBe(false);
    expect(Object.keys(requestBody?.content['application/json']?.schema.properties ?? {})).toEqual(['guids']);
  });

  it('that are lists are written with commas in query strings and forms', () => {
    const [parameter] = describedAs({ method: 'GET', params: { guids } }).parameters;
    expect(parameter).toMatchObject({ in: 'query', style: 'form', explode: false });
    const { requestBody } = describedAs({ params: { guids, name: anyText } });
    const form = requestBody?.content['application/x-www-form-urlencoded'];
    expect(form?.encoding).toEqual({ guids: { style: 'form', explode: false } });
  });

  it('say their default, and that they are secret', () => {
    const params = { key: secret(required(anyText)), mood: orElse(anyText, 'calm') };
    const schema = bodySchema(describedAs({ params }));
    expect(schema?.properties).toEqual({
      key: { type: 'string', format: 'password', minLength: 1 },
      mood: { type: 'string', default: 'calm' },
    });
  });

  it('are beside a body of data, which has the media types that the operation names', () => {
    const rawBody = { types: ['text/plain', 'text/csv'], sample: 'a' };
    const { parameters, requestBody } = describedAs({
      path: '/api/core/things/:guid/data',
      params: { guid: required(guid) },
      rawBody,
    });
    expect(parameters.map((parameter) => parameter.name)).toEqual(['guid']);
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['text/plain', 'text/csv']);
  });

  it('are described in the media types that the service reads', () => {
    const { requestBody } = describedAs({ params: { name: anyText } });
    for (const type of Object.keys(requestBody?.content ?? {})) {
      expect(isParameterType({ 'content-type': type }), type).toBe(true);
    }
  });
});

const ERRORS = [
  { of: 'a read', declared: { method: 'GET' }, statuses: ['400', '401', '421', '429', '500', '503', 'default'] },
  {
    of: 'a change',
    declared: { method: 'POST' },
    statuses: ['400', '401', '408', '413', '415', '421', '429', '500', '503', 'default'],
  },
  {
    of: 'a change without a key',
    declared: { method: 'POST', access: 'none' },
    statuses: ['400', '408', '413', '415', '421', '429', '500', '503', 'default'],
  },
  { of: 'an open operation at the root', declared: { method: 'GET', path: '/x', access: 'none' }, statuses: ['500'] },
  {
    of: 'a closed operation at the root',
    declared: { method: 'GET', path: '/x' },
    statuses: ['401', '429', '500', '503'],
  },
] as const;

describe('The errors in the OpenAPI description', () => {
  for (const { of, declared, statuses } of ERRORS) {
    it(`are, for ${of}: ${statuses.join(', ')}`, () => {
      const { responses } = describedAs(declared);
      expect(Object.keys(responses)).toEqual(['200', ...statuses]);
    });
  }

  it('have the one body that every error has', () => {
    const schemas = Object.values(document.components.responses).map((response) => JSON.stringify(response));
    expect(schemas.filter((text) => !text.includes('"$ref":"#/components/schemas/Error"'))).toEqual([]);
    expect(resolved('#/components/schemas/Error')).toMatchObject({ required: ['error_code', 'error_msg'] });
  });
});

describe('The permission in the OpenAPI description', () => {
  it('is told, and no key is asked for where none is needed', () => {
    expect(describedAs({ access: 'none' })).toMatchObject({ security: [] });
    expect(describedAs({ access: 'ADMIN' }).security).toBeUndefined();
    expect(describedAs({ access: 'ADMIN', takesLogs: 'uploaded' }).security).toBeUndefined();
    const pushed = describedAs({ access: 'ADMIN', takesLogs: 'pushed' }).security ?? [];
    expect(pushed.flatMap((scheme) => Object.keys(scheme))).toEqual([
      'key',
      'session',
      'senderApiKey',
      'senderSplunk',
      'senderBasic',
      'senderHeader',
    ]);
    expect(describedAs({ access: 'ADMIN' }).description).toContain('Permission: ADMIN or higher.');
    expect(describedAs({ access: 'MASTER' }).description).toContain('Permission: MASTER.');
    const rule = { text: 'own account', allows: async () => true };
    expect(describedAs({ access: rule, notes: 'Mind this.' }).description).toContain('Permission: own account.');
  });
});

function bodySchema({ requestBody }: Operation): { readonly properties?: Record<string, JsonSchema> } | undefined {
  return requestBody?.content['application/x-www-form-urlencoded']?.schema;
}

function resolved(target: string): unknown {
  const steps = target.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
}
