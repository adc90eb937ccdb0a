// The SQL of a function.

import type { Call } from '#query/model/expression.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';

/** Undefined if the form does not support the arguments; the local form runs instead. */
export type Form = (call: Call, compiler: ExpressionCompiler) => Sql | undefined;

export type Forms = Readonly<Record<string, Form>>;
