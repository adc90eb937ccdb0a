// The SQL of functions for DuckDB, by name. A function that is not here has a template in its declaration or runs its
// local form (local-function.ts).

import { addresses } from './addresses.ts';
import { conditions } from './conditions.ts';
import { conversion } from './conversion.ts';
import { dates } from './dates.ts';
import type { Form } from './form.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { secrets } from './secrets.ts';
import { strings } from './strings.ts';
import { writing } from './writing.ts';

const forms = new Map<string, Form>(
  [conditions, conversion, secrets, strings, writing, numbers, dates, addresses, lists].flatMap((group) =>
    Object.entries(group),
  ),
);

export const formOf = (name: string): Form | undefined => forms.get(name);
