// Calls of operations by their names, with the types of what is sent and what comes back; the console has the same types.

import type { Lines } from '#operations/answers/shapes.ts';
import type { Operations } from '#resources/index.ts';
import { type PlainRequest, plainRequest } from './plain-request.ts';

/** Method and path, as in `GET /api/core/tables/:table`. */
export type OperationName = keyof Operations;

export type RequestFor<O extends OperationName> = Operations[O]['request'];
export type AnswerFor<O extends OperationName> = Operations[O]['answer'];

/** Those that answer with one JSON value; the others answer with text, rows or events. */
export type JsonOperation = {
  [O in OperationName]: AnswerFor<O> extends string | Lines<unknown> ? never : O;
}[OperationName];

/** The parameters may be left out where none is required. */
export type ParamsArgument<O extends OperationName> =
  Readonly<Record<never, never>> extends RequestFor<O> ? [params?: RequestFor<O>] : [params: RequestFor<O>];

export type Call = <O extends JsonOperation>(operation: O, ...params: ParamsArgument<O>) => Promise<AnswerFor<O>>;

/** The names of the parameters in a path, with their values. */
export type PathParams<O extends string> = { readonly [P in ParamIn<O>]: string | number };
type ParamIn<O extends string> = O extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Further}`
    ? Name | ParamIn<Further>
    : Rest
  : never;

/** `send` gives the parsed body of a success; what is declared is taken at its word, as the tests of the service hold it to. */
export const callOver =
  (send: (request: PlainRequest) => Promise<unknown>): Call =>
  async <O extends JsonOperation>(operation: O, ...[params]: ParamsArgument<O>) =>
    (await send(plainRequest(operation, params))) as AnswerFor<O>;
