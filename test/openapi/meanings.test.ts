// Every parameter, body field and answer field of the OpenAPI document has a sentence of meaning, every JSON answer an
// example that matches its schema. The document is walked as a client reads it: as JSON, along its references.

import { describe, expect, it } from 'vitest';
import { openapiOf } from '#docs/openapi/openapi.ts';
import type { Meanings } from '#operations/described.ts';
import { allEndpoints } from '#resources/index.ts';
import { SETTING_NAMES, settings } from '#settings/index.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document: Document = JSON.parse(JSON.stringify(openapiOf(allEndpoints())));

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

/** The sentences of all fields by the way to them, `''` where one is missing; named schemas are walked by themselves. */
function meaningsIn({ properties = {}, items, anyOf = [], additionalProperties }: Schema, way: string): Meanings {
  const inner = [
    ...Object.entries(properties).map(([name, schema]) => meaningsIn(schema, `${way}.${name}`)),
    ...(items ? [meaningsIn(items, `${way}[]`)] : []),
    ...anyOf.map((schema) => meaningsIn(schema, way)),
    ...(typeof additionalProperties === 'object' ? [meaningsIn(additionalProperties, `${way}{}`)] : []),
  ];
  const own = Object.entries(properties).map(([name, { description = '' }]) => [`${way}.${name}`, description]);
  return Object.assign({}, Object.fromEntries(own), ...inner);
}

const successes = operations.flatMap(({ name, operation }) =>
  Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.entries(content).map(([type, one]) => ({ name, type, ...one }))),
);

const parameters: Meanings = Object.fromEntries(
  operations.flatMap(({ name, operation }) =>
    operation.parameters.map((one) => [`${name} ${one.name}`, one.description]),
  ),
);

const bodies: Meanings = Object.assign(
  {},
  ...operations.flatMap(({ name, operation: { requestBody } }) =>
    Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => meaningsIn(schema, `${name} ${type}`)),
  ),
);

const answers: Meanings = Object.assign(
  {},
  ...successes.map(({ name, schema }) => meaningsIn(schema, name)),
  ...Object.entries(document.components.schemas).map(([name, schema]) => meaningsIn(schema, name)),
);

const SENTENCE = /^[A-Z`].*\.$/s;
const lacking = (meanings: Meanings) => Object.entries(meanings).filter(([, text]) => !SENTENCE.test(text));

describe('The OpenAPI document says what is meant', () => {
  it('by every parameter', () => {
    expect(Object.keys(parameters).length).toBeGreaterThan(250);
    expect(lacking(parameters)).toEqual([]);
  });

  it('by every field of a body', () => {
    expect(Object.keys(bodies).length).toBeGreaterThan(400);
    expect(lacking(bodies)).toEqual([]);
  });

  it('by every field of an answer', () => {
    expect(Object.keys(answers).length).toBeGreaterThan(700);
    expect(lacking(answers)).toEqual([]);
  });

  it('and shows an example of every JSON answer, rows aside', () => {
    const withRows = successes.filter(({ type }) => type === 'application/x-ndjson').map(({ name }) => name);
    const json = successes.filter(({ name, type }) => type === 'application/json' && !withRows.includes(name));
    expect(json.length).toBeGreaterThan(150);
    expect(json.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('with sentences, found wherever a schema can hold a field', () => {
    const nested = { properties: { a: { items: { anyOf: [{ properties: { b: {} } }] } } } };
    expect(lacking(meaningsIn(nested, 'x'))).toEqual([
      ['x.a', ''],
      ['x.a[].b', ''],
    ]);
    expect(lacking({ a: 'no sentence', b: 'A sentence.' })).toEqual([['a', 'no sentence']]);
  });
});

describe('The settings', () => {
  it('have a meaning each, in both languages', () => {
    const texts = SETTING_NAMES.map((name) => ({ name, ...settings[name].about }));
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter(({ en, ko }) => en.length < 10 || !/\p{Script=Hangul}/u.test(ko))).toEqual([]);
  });
});
