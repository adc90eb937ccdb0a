// Getters of an object literal. V8 puts them into the old generation, where they keep what they see until the next full
// collection: a call with its body, a query with its plan. Such an object is a dictionary; one whose getters belong to its class is not.

import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--allow-natives-syntax');

export const hasNoGetters = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean;
