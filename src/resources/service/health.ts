// GET /healthz: liveness of the process.

import { choice, record } from '#operations/answers/shapes.ts';
import { endpoint } from '#operations/endpoint.ts';

export const health = endpoint({
  title: 'Get health',
  notes: 'Answers while the service starts and stops, too.',
  method: 'GET',
  path: '/healthz',
  access: 'none',
  params: {},
  answer: record({ status: choice(['ok'])('Always `ok`.') }),

  run: async (_input, _needs: object) => ({ status: 'ok' as const }),
});
