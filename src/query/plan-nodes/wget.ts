// wget: a request for each row, and fields with its answer. Requests are sent on the main thread; local threads read
// from a row what to ask, and write the answer into it.

import type { ColumnId, Expression, Span } from '#query/model/expression.ts';
import type { Charset } from '#query/values/text/charsets.ts';
import { madeOutside } from './local-form.ts';
import type { Step } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { onlyLocal } from './shared/local-rows.ts';
import type { WebAnswer, WebRequest } from './shared/web.ts';

export const WEB_METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
export type WebMethod = (typeof WEB_METHODS)[number];

/** Methods that change nothing. */
export const READING_METHODS: readonly WebMethod[] = ['get', 'head'];

export const BODY_FORMATS = ['text', 'json', 'form'] as const;

/** A url of the row or of the text, or a connection profile whose base url is completed by a path. */
export type WebTarget =
  | { readonly url: Expression }
  | { readonly profile: string; readonly profileAt: Span; readonly path?: Expression };

export interface WebRequests extends Step {
  readonly kind: 'wget';
  readonly target: WebTarget;
  readonly method: WebMethod;
  readonly header?: Expression;
  /** Whether the header is a parameter: only then it may hold secrets. */
  readonly mayHoldSecrets: boolean;
  readonly body?: Expression;
  readonly format: (typeof BODY_FORMATS)[number];
  readonly timeoutMs: number;
  /** Of answers whose content type names no charset. */
  readonly encoding: Charset;
  readonly fields: {
    readonly line: ColumnId;
    readonly code: ColumnId;
    readonly headers: ColumnId;
    readonly error: ColumnId;
  };
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
}

interface WebSending {
  readonly requests: {
    /** Few requests of a run are under way at once, and their number is bounded. */
    send(node: WebRequests, request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
  };
}

const askedOf = ({ target, header, body }: WebRequests): readonly Expression[] =>
  ['url' in target ? target.url : target.path, header, body].flatMap((one) => one ?? []);

export const wget: PlanNodeDeclaration<WebRequests, WebSending> = {
  kind: 'wget',
  takes: 'each',
  expressions: askedOf,
  makes: nothing,
  reads(node, reading) {
    reading.expressions(askedOf(node));
    reading.order(node.input.rows);
  },
  pushdown: 'lost',
  counts: 'as-input',
  effect: (node) => ({
    kind: 'requests',
    reach: READING_METHODS.includes(node.method) ? 'asks' : 'changes',
    open: ({ requests }) => ({ send: (request, signal) => requests.send(node, request, signal) }),
  }),
  sql: onlyLocal,
  local: madeOutside,
};
