// What the documents say about an operation, derived from its declaration once: the OpenAPI description, the reference
// page and the reference in Markdown only lay it out.

import { en } from '#contract/labels/en.ts';
import { ROLES } from '#contract/values.ts';
import { code } from '#docs/markdown.ts';
import { type Access, type AnyEndpoint, isReading, type Method, type RawBody } from '#operations/endpoint.ts';
import type { JsonSchema, Reader } from '#operations/params/params.ts';
import { curlExample } from './curl-example.ts';
import { exampleOf } from './example-of.ts';
import { type FieldFacts, fieldsOf, ruleOf, sentences, typeName } from './schema-words.ts';
import { needsKey, standingErrors, takesParameters } from './standing-errors.ts';

type Location = 'path' | 'query' | 'header' | 'body';

export interface OperationFacts {
  /** Unique as long as titles are, and safe as an anchor. */
  readonly id: string;
  readonly title: string;
  readonly notes: string;
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly group: string;
  readonly permission: string;
  readonly needsKey: boolean;
  /** Whether the key may also be sent the way existing senders of logs do. */
  readonly takesSenderKeys: boolean;
  /** What the audit trail calls it; empty when a call leaves no entry. */
  readonly audit: string;
  readonly parameters: readonly ParameterFacts[];
  /** Given when the body is data. */
  readonly rawBody: RawBody | undefined;
  readonly answer: JsonSchema;
  /** Of an answer that is JSON. */
  readonly answerExample: { readonly example?: unknown };
  readonly answerType: string;
  readonly furtherTypes: readonly string[];
  readonly answerStatus: number;
  /** Further statuses of the same answer. */
  readonly otherStatuses: readonly number[];
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly fields: readonly FieldFacts[];
  /** The statuses of the standing errors. */
  readonly errors: readonly number[];
  /** The form of its errors, where it has one of its own. */
  readonly refusals: { readonly schema: JsonSchema; readonly type: string } | undefined;
  /** Whether it may refuse with further statuses, in the same form. */
  readonly hasFurtherErrors: boolean;
  readonly example: string;
}

export interface ParameterFacts {
  readonly name: string;
  /** Where it may be given; more than one is a choice. */
  readonly locations: readonly Location[];
  readonly isRequired: boolean;
  readonly isInExample: boolean;
  readonly isSecret: boolean;
  readonly schema: JsonSchema;
  readonly type: string;
  readonly rule: string;
  readonly initial: string;
}

export interface Group {
  readonly name: string;
  readonly operations: readonly OperationFacts[];
}

/** `url` is where the examples call. */
export function factsOf(endpoint: AnyEndpoint, url?: string): OperationFacts {
  const { title, notes = '', method, audit, rawBody, answer, answerType = 'application/json' } = endpoint;
  const { answerStatus = 200, answerHeaders = {}, furtherTypes = [], otherStatuses = [] } = endpoint;
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
  const parameters = parametersOf(endpoint);
  const callable = { method, path, parameters, rawBody, needsKey: needsKey(endpoint) };
  const errors = standingErrors().filter(({ appliesTo }) => appliesTo(endpoint));
  return {
    ...callable,
    id: idOf(title),
    takesSenderKeys: endpoint.takesLogs === 'pushed',
    title,
    notes,
    group: groupOf(endpoint),
    permission: permissionText(endpoint),
    audit: audit ? `${code(audit)} (${en.actions[audit].label})` : '',
    answer: answer.schema,
    answerExample: answerType === 'application/json' ? { example: endpoint.example ?? exampleOf(answer.schema) } : {},
    answerType,
    furtherTypes,
    answerStatus,
    otherStatuses,
    answerHeaders,
    fields: fieldsOf(answer.schema),
    errors: [...new Set(errors.map(({ example }) => example.status))],
    refusals: endpoint.refusals && {
      schema: endpoint.refusals.shape.schema,
      type: endpoint.refusals.type ?? 'application/json',
    },
    hasFurtherErrors: takesParameters(endpoint),
    example: curlExample(callable, url),
  };
}

/** In the order of their first operations. */
export function groupsOf(endpoints: readonly AnyEndpoint[], url?: string): Group[] {
  const groups = Map.groupBy(
    endpoints.map((endpoint) => factsOf(endpoint, url)),
    ({ group }) => group,
  );
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

/** `user-groups` as a heading. */
export const headingOf = ({ name }: Pick<Group, 'name'>): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

function parametersOf(endpoint: AnyEndpoint): ParameterFacts[] {
  return Object.entries(endpoint.params).map(([name, reader]) => {
    const { schema, isRequired, isSecret = false, isInExample = isRequired } = reader;
    return {
      name,
      locations: locationsOf(endpoint, name, reader),
      isRequired,
      isInExample,
      isSecret,
      schema: isSecret ? { ...schema, format: 'password' } : schema,
      type: typeName(schema),
      rule: sentences([ruleOf(schema), isSecret ? 'secret: never stored or shown' : '']),
      initial: schema.default === undefined ? '' : code(String(schema.default)),
    };
  });
}

function locationsOf(
  { method, path, rawBody }: AnyEndpoint,
  name: string,
  { isInQuery, isInHeader }: Reader<unknown>,
): Location[] {
  if (path.split('/').includes(`:${name}`)) return ['path'];
  if (isInHeader) return ['header'];
  if (isReading(method) || rawBody) return ['query'];
  return method === 'DELETE' || isInQuery ? ['query', 'body'] : ['body'];
}

function permissionText({ access, takesLogs }: AnyEndpoint): string {
  const text = accessText(access);
  return takesLogs ? `${text}; also with a key of scope ${code('push')}` : text;
}

function accessText(access: Access): string {
  if (access === 'none') return 'none: no key is needed';
  if (access === 'token') return 'none but the token in the path, from the address that got it';
  if (typeof access !== 'string') return access.text;
  return access === ROLES[0] ? access : `${access} or higher`;
}

/** The first segment below the base path; the operations at the root belong to a sender protocol or to the service. */
function groupOf({ path, protocol }: AnyEndpoint): string {
  if (protocol !== undefined) return 'senders';
  const [, , , first = ''] = path.split('/');
  return path.startsWith('/api/') ? first : 'service';
}

/** `Create API key` is `createApiKey`. */
function idOf(title: string): string {
  const [first = '', ...further] = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return first + further.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
