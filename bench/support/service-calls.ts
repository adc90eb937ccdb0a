// Calls of a service in a process of its own, in the shape that the helpers of the tests use.

import type { CallOptions, Reply } from '#test/support/service.ts';
import { MASTER_KEY, type ServerProcess } from './server-process.ts';

export interface Service {
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

export const serviceOf = ({ port }: Pick<ServerProcess, 'port'>): Service => ({
  async call(method, path, { key = MASTER_KEY, form, json, body, headers = {} } = {}) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
      ...(body === undefined ? {} : { body }),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
  },
});
