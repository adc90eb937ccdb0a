// The response of operations on several scheduled queries.

import { failures, int32, object } from '#http/shapes.ts';

export const partialOutcome = object({ succeeded: int32, failures });
