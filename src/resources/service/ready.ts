// GET /readyz: checks every part of the service.

import { choice, mapOf, record, string } from '#operations/answers/shapes.ts';
import { Answer, endpoint } from '#operations/endpoint.ts';

/** Checks each part of the service; resolves to `ok` or to the error. */
interface Readiness {
  check(): Promise<Readonly<Record<string, string>>>;
}

export const ready = endpoint({
  title: 'Get readiness',
  notes: '503 with status `not-ready` while a part does not answer, and while the service starts or stops.',
  method: 'GET',
  path: '/readyz',
  access: 'none',
  params: {},
  otherStatuses: [503],
  answer: record({
    status: choice(['ready', 'not-ready'])('`ready`, or `not-ready` where a part does not answer.', 'ready'),
    checks: mapOf(string)('Result for each part of the service: `ok`, or the reason.', { store: 'ok', engine: 'ok' }),
  }),

  async run(_input, { readiness }: { readiness: Readiness }) {
    const checks = await readiness.check();
    const isReady = Object.values(checks).every((outcome) => outcome === 'ok');
    return new Answer(
      { status: isReady ? ('ready' as const) : ('not-ready' as const), checks },
      { status: isReady ? 200 : 503 },
    );
  },
});
