// A call of an operation as a command to paste: its required parameters with values that its readers accept.

import type { Method, RawBody } from '#operations/endpoint.ts';
import type { JsonSchema } from '#operations/params/params.ts';

/** Where a service with the settings it comes with is reached. */
export const DEFAULT_URL = 'http://127.0.0.1:8470';

interface Callable {
  readonly method: Method;
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly rawBody?: RawBody | undefined;
}

interface Parameter {
  readonly name: string;
  readonly locations: readonly string[];
  readonly isRequired: boolean;
  readonly isInExample: boolean;
  readonly isSecret: boolean;
  readonly schema: JsonSchema;
}

export function curlExample(callable: Callable, url = DEFAULT_URL): string {
  const { needsKey } = callable;
  const shown = shownParameters(callable);
  return [
    `curl ${howTo(callable, shown.length > 0)}${quoted(url + pathOf(callable))}`,
    ...(needsKey ? ['-H "Authorization: Bearer $VIGIL_KEY"'] : []),
    ...shownHeaders(callable).map(({ name, schema }) => `-H ${quoted(`${name}: ${sampleOf(schema)}`)}`),
    ...shown.map((parameter) => `--data-urlencode ${pair(parameter, needsKey)}`),
    ...(callable.rawBody ? rawBodyOf(callable.rawBody) : []),
  ].join(' \\\n  ');
}

function howTo({ method }: Callable, hasParameters: boolean): string {
  // With -X HEAD it would wait for a body that never comes.
  if (method === 'HEAD') return '-I ';
  if (method !== 'GET') return `-X ${method} `;
  return hasParameters ? '-G ' : '';
}

const rawBodyOf = ({ types, sample }: RawBody) => [
  `-H ${quoted(`Content-Type: ${types[0]}`)}`,
  `--data-binary ${quoted(sample)}`,
];

/** A value that the reader with this schema accepts. What cannot be guessed is the schema's `examples`. */
export function sampleOf(schema: JsonSchema): string {
  const { type, format, examples, enum: values, minimum, items } = schema;
  // Each keyword, where a reader writes it at all, has the type that JSON Schema gives it.
  const [given] = (examples ?? values ?? []) as readonly unknown[];
  if (given !== undefined) return typeof given === 'object' ? JSON.stringify(given) : String(given);
  if (items) return sampleOf(items as JsonSchema);
  if (format === 'uuid') return '5b0c2f4e-8d1a-4c3b-9f6e-2a7d8e9c0b1f';
  if (type === 'integer') return String(minimum ?? 1);
  return type === 'boolean' ? 'true' : 'example';
}

/**
 * The required ones. A creation also chooses the guid, so that the examples of the other operations find what it made;
 * an update that requires nothing is shown with one parameter, as it would otherwise change nothing.
 */
function shownParameters({ method, parameters }: Callable): readonly Parameter[] {
  const outside = parameters.filter(({ locations }) => !locations.includes('path') && !locations.includes('header'));
  const shown = outside.filter(({ name, isInExample }) => isInExample || (method === 'POST' && name === 'guid'));
  return shown.length === 0 && method === 'PUT' ? outside.slice(0, 1) : shown;
}

const shownHeaders = ({ parameters }: Callable): readonly Parameter[] =>
  parameters.filter(({ locations, isRequired }) => isRequired && locations.includes('header'));

function pathOf({ path, parameters }: Callable): string {
  const inPath = new Map(parameters.map(({ name, schema }) => [name, sampleOf(schema)]));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ''));
}

function pair({ name, schema, isSecret }: Parameter, needsKey: boolean): string {
  // A secret where no key is needed is the key itself; any other has no value that could be printed.
  if (isSecret) return `"${name}=$${needsKey ? name.toUpperCase() : 'VIGIL_KEY'}"`;
  return quoted(`${name}=${sampleOf(schema)}`);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
