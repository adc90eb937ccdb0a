// The response of operations on several scheduled queries.

import { failures, int32, record } from '#operations/answers/shapes.ts';

export const partialOutcome = record({ succeeded: int32('Number of objects that were changed.'), failures });
