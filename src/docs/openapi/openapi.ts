// OpenAPI 3.1, made from the declarations of the operations.

import { PRODUCT_NAME, productManifest } from '#docs/product.ts';
import { GROUP_SUMMARIES } from '#docs/reference/group-summaries.ts';
import { finding, hint } from '#operations/answers/finding-shapes.ts';
import { arrayOf, type Typed } from '#operations/answers/shapes.ts';
import { SENDER_KEY_HEADER, SENDER_SCHEMES, sessionCookieName } from '#operations/credentials.ts';
import type { AnyEndpoint, RawBody } from '#operations/endpoint.ts';
import type { JsonObject } from '#operations/params/json-params.ts';
import type { JsonSchema } from '#operations/params/params.ts';
import { NamedSchemas } from './named-schemas.ts';
import { factsOf, type OperationFacts, type ParameterFacts } from './operation-facts.ts';
import { type StandingError, standingErrors } from './standing-errors.ts';

const ERROR = { $ref: '#/components/schemas/Error' };

export function openapiOf(endpoints: readonly AnyEndpoint[]): JsonObject {
  const operations = endpoints.map((endpoint) => factsOf(endpoint));
  const { version, license } = productManifest();
  const groups = new Set(operations.map(({ group }) => group));
  const named = new NamedSchemas();
  const paths = pathsOf(operations, named);
  const document = {
    openapi: '3.1.0',
    info: { title: PRODUCT_NAME, version, license: { name: license, identifier: license } },
    servers: [{ url: '/' }],
    security: alternatives(securitySchemes),
    tags: [...groups].map(tagOf),
    paths,
    components: {
      securitySchemes: { ...securitySchemes, ...senderSchemes },
      schemas: { Error: errorSchema(named), ...named.all() },
      responses: errorResponses(),
    },
  };
  return document as object as JsonObject; // Made of literals and schemas alone.
}

/** A group without a sentence is one that a test made up. */
const tagOf = (name: string) => ({ name, description: GROUP_SUMMARIES[name] ?? name });

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName(false),
    description: 'A console session. A request other than GET must also come from the service’s own origin.',
  },
};

/** Of operations that take pushed logs, beside the others. */
const senderSchemes = {
  ...Object.fromEntries(SENDER_SCHEMES.map(({ name, about }) => [`sender${name}`, authorizationScheme(name, about)])),
  senderHeader: {
    type: 'apiKey',
    in: 'header',
    name: SENDER_KEY_HEADER,
    description: 'An API key, in a request without `Authorization`.',
  },
};

/** OpenAPI knows the registered schemes of `Authorization` alone; any other one is a header. */
function authorizationScheme(name: string, description: string): object {
  if (name === 'Basic') return { type: 'http', scheme: 'basic', description };
  return {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: `\`${name}\`, a blank, then: ${description}`,
  };
}

const alternatives = (schemes: object) => Object.keys(schemes).map((name) => ({ [name]: [] }));

const errorSchema = (named: NamedSchemas) => ({
  type: 'object',
  properties: {
    error_code: { type: 'string', description: 'Code of the kind of error, for programs.' },
    error_msg: { type: 'string', description: 'Text of the error.' },
    mistakes: ofInvalidQuery(named, arrayOf(finding), 'Errors in the text of a query, in its order.'),
    warnings: ofInvalidQuery(named, arrayOf(finding), 'Warnings about the text, in its order.'),
    hints: ofInvalidQuery(named, arrayOf(hint), 'Hints to the errors and warnings, in the order of the text.'),
  },
  required: ['error_code', 'error_msg'],
});

const ofInvalidQuery = (named: NamedSchemas, { schema }: Typed, meaning: string) => ({
  ...named.shown(schema),
  description: `${meaning} Only with \`invalid-query\`.`,
});

const responseName = (status: number) => `Error${status}`;

function errorResponses(): object {
  const byStatus = Map.groupBy(standingErrors(), ({ example }) => example.status);
  return Object.fromEntries([...byStatus].map(([status, errors]) => [responseName(status), responseOf(errors)]));
}

function responseOf(errors: readonly StandingError[]): object {
  const headers = errors.flatMap(({ example }) => Object.keys(example.headers));
  const examples = errors.map(({ when, example }) => [example.code, { summary: when, value: example.body }]);
  return {
    description: errors.map(({ when }) => when).join(' '),
    headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }])),
    content: { 'application/json': { schema: ERROR, examples: Object.fromEntries(examples) } },
  };
}

function pathsOf(operations: readonly OperationFacts[], named: NamedSchemas): object {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((facts) => [facts.method.toLowerCase(), operationOf(facts, named)])),
    ]),
  );
}

function operationOf(facts: OperationFacts, named: NamedSchemas): object {
  const { id, title, group, parameters, rawBody } = facts;
  const inBody = parameters.filter(({ locations }) => locations.includes('body'));
  return {
    operationId: id,
    summary: title,
    description: descriptionOf(facts),
    tags: [group],
    ...securityOf(facts),
    parameters: parameters.filter(isOutsideBody).map(parameterOf),
    ...(inBody.length > 0 ? { requestBody: bodyOf(inBody) } : {}),
    ...(rawBody ? { requestBody: rawBodyOf(rawBody) } : {}),
    responses: responsesOf(facts, named),
  };
}

/** Nothing where the schemes of all operations apply. */
function securityOf({ needsKey, takesSenderKeys }: OperationFacts): object {
  if (!needsKey) return { security: [] };
  return takesSenderKeys ? { security: alternatives({ ...securitySchemes, ...senderSchemes }) } : {};
}

function descriptionOf({ notes, permission, audit }: OperationFacts): string {
  const parts = [notes, `Permission: ${permission}.`, audit && `Audit action: ${audit}.`];
  return parts.filter((part) => part !== '').join('\n\n');
}

const isOutsideBody = ({ locations }: ParameterFacts) => locations[0] !== 'body';

function parameterOf({ name, locations, isRequired, schema }: ParameterFacts): object {
  const [location] = locations;
  // What may be given in the body instead is required in neither of them.
  const isChoice = locations.length > 1;
  const { description, ...rest } = schema;
  const meaning = [description, isRequired && isChoice ? 'Required, here or in the body. The body wins.' : undefined];
  return {
    name,
    in: location,
    required: isRequired && !isChoice,
    description: meaning.filter((part) => part !== undefined).join(' '),
    ...(isList(schema) ? COMMAS : {}),
    schema: rest,
  };
}

/** How a list is written in a query string or a form: one value, commas between the items. */
const COMMAS = { style: 'form', explode: false };

const isList = (schema: JsonSchema) => schema.type === 'array';

function bodyOf(parameters: readonly ParameterFacts[]): object {
  const required = parameters.filter(({ isRequired, locations }) => isRequired && locations.length === 1);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
  };
  const lists = parameters.filter((parameter) => isList(parameter.schema));
  const encoding = Object.fromEntries(lists.map(({ name }) => [name, COMMAS]));
  return {
    required: required.length > 0,
    content: {
      'application/x-www-form-urlencoded': { schema, ...(lists.length > 0 ? { encoding } : {}) },
      'application/json': { schema },
    },
  };
}

function rawBodyOf({ types, isStreamed = false }: RawBody): object {
  const description = isStreamed
    ? 'Taken in as it arrives; the connection may break off.'
    : 'At most as long as the setting push-limit says, after decompression where the content encoding is gzip.';
  return {
    required: !isStreamed,
    description,
    content: Object.fromEntries(types.map((type) => [type, { schema: {} }])),
  };
}

function responsesOf(facts: OperationFacts, named: NamedSchemas): object {
  const { answerStatus, otherStatuses, errors, hasFurtherErrors, refusals } = facts;
  const answered = [answerStatus, ...otherStatuses];
  const ofAll = refusals ? [] : errors;
  const { type = 'application/json', schema = ERROR } = refusals ?? {};
  const shown = refusals ? named.shown(schema) : schema;
  return {
    ...Object.fromEntries(ofAll.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }])),
    ...Object.fromEntries(answered.map((status) => [status, answerOf(facts, status, named)])),
    ...(hasFurtherErrors
      ? { default: { description: 'Any other refusal.', content: { [type]: { schema: shown } } } }
      : {}),
  };
}

/** Of the answers that are no refusals; a success otherwise. */
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  304: 'The client has the answer already: nothing has changed.',
  503: 'The same answer, where the service is not in order.',
};

function answerOf(facts: OperationFacts, status: number, named: NamedSchemas): object {
  const { method, answer, answerExample, answerType, furtherTypes, answerHeaders } = facts;
  const hasBody = ![204, 304].includes(status) && method !== 'HEAD';
  const further = Object.fromEntries(furtherTypes.map((type) => [type, { schema: {} }]));
  const headers = Object.entries(answerHeaders).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: DESCRIPTIONS[status] ?? 'Success.',
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(hasBody ? { content: { [answerType]: { schema: named.shown(answer), ...answerExample }, ...further } } : {}),
  };
}
