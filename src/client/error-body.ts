// The body of an error answer.

/** Fields beside code and message are details of the error. */
export type ErrorBody = Readonly<Record<string, unknown>> & {
  readonly error_code: string;
  readonly error_msg: string;
};

/** Undefined for a body of something else, such as a proxy in front of the service. */
export function errorBodyOf(body: unknown): ErrorBody | undefined {
  const isObject = typeof body === 'object' && body !== null;
  if (!isObject || !('error_code' in body) || !('error_msg' in body)) return undefined;
  const { error_code, error_msg } = body;
  if (typeof error_code !== 'string' || typeof error_msg !== 'string') return undefined;
  return { ...body, error_code, error_msg };
}
