// The forms of tables that the promises of the embedded engine are tried on.

import { COMPRESSIONS, LAYOUTS } from '#logs/log-store.ts';
import { PROTECTIONS, type TableForm } from './engine-conformance/suite.ts';

/** A compression is a setting of the writer of segments; it changes with each layout and each protection here. */
const isTried = (indexes: readonly number[]) =>
  process.env.VIGIL_TABLE_FORMS === 'all' || indexes.reduce((sum, index) => sum + index) % COMPRESSIONS.length === 0;

/** Any two of a layout, a compression and a protection meet in one of six forms; VIGIL_TABLE_FORMS=all tries all twelve. */
export const TABLE_FORMS: readonly TableForm[] = PROTECTIONS.flatMap((protection, guard) =>
  LAYOUTS.flatMap((layout, shape) =>
    COMPRESSIONS.flatMap((compression, codec) =>
      isTried([guard, shape, codec]) ? [{ layout, compression, protection }] : [],
    ),
  ),
);

/** Those of `npm test`: the form that a table has where nothing else is asked for. */
export const QUICK_FORMS: readonly TableForm[] = TABLE_FORMS.filter(
  ({ layout, protection }) => layout === 'columnar' && protection === 'plain',
);

export const FURTHER_FORMS: readonly TableForm[] = TABLE_FORMS.filter((form) => !QUICK_FORMS.includes(form));
