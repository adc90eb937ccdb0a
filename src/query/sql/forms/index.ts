// The SQL of functions for DuckDB, by name. A function that is not here has a template in its declaration or runs its
// local form (local-function.ts).

import type { Call } from '#query/model/expression.ts';
import type { Compiler } from '#query/sql/compiler.ts';
import type { Sql } from '#query/sql/scope.ts';
import { addresses } from './addresses.ts';
import { conditions } from './conditions.ts';
import { conversion } from './conversion.ts';
import { dates } from './dates.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { secrets } from './secrets.ts';
import { strings } from './strings.ts';
import { writing } from './writing.ts';

/** Undefined if the form does not support the arguments; the local form runs instead. */
type Form = (call: Call, compiler: Compiler) => Sql | undefined;

export type Forms = Readonly<Record<string, Form>>;

const forms = new Map<string, Form>(
  [conditions, conversion, secrets, strings, writing, numbers, dates, addresses, lists].flatMap((group) =>
    Object.entries(group),
  ),
);

export const formOf = (name: string): Form | undefined => forms.get(name);
