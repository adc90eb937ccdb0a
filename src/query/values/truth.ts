// Truth (4.1): boolean true and every non-null non-boolean.

import type { Value } from '#query/model/values.ts';

export const isTrue = (value: Value): boolean => value !== null && value !== false;
