// Calls of operations by their names, with the types of what is sent and what comes back. Nothing here belongs to Node or
// to the command line: a page in a browser can make its calls from the same.

import type { Lines } from '#http/shapes.ts';
import type { Operations } from '#resources/index.ts';

/** Method and path, as in `GET /api/core/tables/:table`. */
export type OperationName = keyof Operations;

export type RequestFor<O extends OperationName> = Operations[O]['request'];
export type AnswerFor<O extends OperationName> = Operations[O]['answer'];

/** Those that answer with one JSON value; the others answer with text, rows or events. */
type JsonOperation = {
  [O in OperationName]: AnswerFor<O> extends string | Lines<unknown> ? never : O;
}[OperationName];

/** The parameters may be left out where none is required. */
type ParamsArgument<O extends OperationName> =
  Readonly<Record<never, never>> extends RequestFor<O> ? [params?: RequestFor<O>] : [params: RequestFor<O>];

export type Call = <O extends JsonOperation>(operation: O, ...params: ParamsArgument<O>) => Promise<AnswerFor<O>>;

/** The names of the parameters in a path, with their values. */
export type PathParams<O extends string> = { readonly [P in ParamIn<O>]: string | number };
type ParamIn<O extends string> = O extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Further}`
    ? Name | ParamIn<Further>
    : Rest
  : never;

/** A request without the address of the service. */
export interface PlainRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** Parameters that are not in the path go into the query string where nothing is changed, and into the body elsewhere. */
export function plainRequest(operation: string, params: Readonly<Record<string, unknown>> = {}): PlainRequest {
  const [method = '', pattern = ''] = operation.split(' ');
  const inPath = new Set<string>();
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(params[name]));
  });
  const others = Object.entries(params).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  if (others.length === 0) return { method, path };
  if (method !== 'GET') return { method, path, body: JSON.stringify(Object.fromEntries(others)) };
  // A list is one text there, its items separated by commas.
  const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)]));
  return { method, path: `${path}?${query}` };
}

/** `send` gives the parsed body of a success; what is declared is taken at its word, as the tests of the service hold it to. */
export const callOver =
  (send: (request: PlainRequest) => Promise<unknown>): Call =>
  async <O extends JsonOperation>(operation: O, ...[params]: ParamsArgument<O>) =>
    (await send(plainRequest(operation, params))) as AnswerFor<O>;
