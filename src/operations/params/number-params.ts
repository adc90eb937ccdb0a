// Parameters that are numbers of a meaning of their own.

import * as refuse from '#contract/errors.ts';
import { NumberText } from '#operations/requests/raw-params.ts';
import { int, meaning, type Reader, single } from './params.ts';

const MAX_INT = 2_147_483_647n;

/** A number in a path: 32 bits with a sign, one complaint for whatever else is given. */
const pathNumber = (complaint: () => refuse.ApiError) =>
  single({ type: 'integer', format: 'int32', minimum: Number(-MAX_INT - 1n), maximum: Number(MAX_INT) }, (given) => {
    const digits = given instanceof NumberText ? given.digits : given;
    if (typeof digits !== 'string' || !/^-?\d{1,40}$/.test(digits)) throw complaint();
    const value = BigInt(digits);
    if (value > MAX_INT || value < -MAX_INT - 1n) throw complaint();
    return Number(value);
  });

/** The id of a query. */
export const queryId = pathNumber(refuse.notQueryId);

/** The number of a version of a rule. */
export const version = pathNumber(refuse.notVersion);

/** A whole number of 32 bits, negative ones too. */
export const anyInt = int(-MAX_INT - 1n);

/** One of these whole numbers. */
export function oneOfNumbers(values: readonly number[]): Reader<number | undefined> {
  return meaning(anyInt, { enum: values }, (value, name) => {
    if (!values.includes(value)) throw refuse.notOneOf(name, values.map(String));
    return value;
  });
}
