// GET /readyz: every part that exists has just been tried.

import { Answer, endpoint } from '#http/endpoint.ts';
import { map, record, string } from '#http/shapes.ts';

/** Tries each part of the service; resolves to `ok` or to what is wrong with it. */
export interface Readiness {
  check(): Promise<Readonly<Record<string, string>>>;
}

export const ready = endpoint({
  title: 'Readiness',
  notes: '503 with status `not-ready` while a part does not answer, and while the service starts or stops.',
  method: 'GET',
  path: '/readyz',
  access: 'none',
  params: {},
  otherStatuses: [503],
  answer: record({
    status: string('`ready`, or `not-ready` where a part does not answer.', 'ready'),
    checks: map('Result for each part of the service: `ok`, or the reason.', { store: 'ok', engine: 'ok' }),
  }),

  async run(_input, { readiness }: { readiness: Readiness }) {
    const checks = await readiness.check();
    const isReady = Object.values(checks).every((outcome) => outcome === 'ok');
    return new Answer({ status: isReady ? 'ready' : 'not-ready', checks }, { status: isReady ? 200 : 503 });
  },
});
