import { describe, expect, it } from 'vitest';
import { plainRequest } from './plain-request.ts';

describe('A call as a request', () => {
  it.each([
    ['GET /api/core/tables', undefined, { path: '/api/core/tables' }],
    ['GET /api/core/tables', { limit: 5, offset: undefined }, { path: '/api/core/tables?limit=5' }],
    ['GET /api/core/tables/:table', { table: '웹/로그' }, { path: '/api/core/tables/%EC%9B%B9%2F%EB%A1%9C%EA%B7%B8' }],
    ['GET /api/core/nodes/:node/slots', { node: 'a', limit: 1 }, { path: '/api/core/nodes/a/slots?limit=1' }],
    ['GET /api/core/tickets', { states: ['open', 'closed'] }, { path: '/api/core/tickets?states=open%2Cclosed' }],
    ['POST /api/core/tables', { table: 'web', retention: 0 }, { body: { table: 'web', retention: 0 } }],
    [
      'PUT /api/core/tables/:table',
      { table: 'web', retention: 1 },
      { path: '/api/core/tables/web', body: { retention: 1 } },
    ],
    ['DELETE /api/core/tables', { tables: ['a', 'b'] }, { body: { tables: ['a', 'b'] } }],
    ['DELETE /api/core/sessions/current', {}, { path: '/api/core/sessions/current' }],
  ])('%s with %j', (operation, params, { path, body }: { path?: string; body?: object }) => {
    const [method = '', pattern = ''] = operation.split(' ');
    const sent = plainRequest(operation, params);
    expect({ ...sent, body: sent.body && JSON.parse(sent.body) }).toEqual({ method, path: path ?? pattern, body });
  });
});
