// GET /metrics

import { type Access, Answer, endpoint } from '#http/endpoint.ts';
import { string } from '#http/shapes.ts';
import type { Metrics } from '#kernel/metrics.ts';

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** Without a key unless a setting requires one. */
export const metricsFor = (access: Access) =>
  endpoint({
    title: 'Get metrics',
    notes:
      'Prometheus text format. The setting `metrics = "closed"` asks for the key of an administrator: 401 without ' +
      'a key, `no-permission` for a MEMBER. No audit entry is written.',
    method: 'GET',
    path: '/metrics',
    access,
    params: {},
    answer: string,
    answerType: 'text/plain',

    async run(_input, { metrics }: { metrics: Metrics }) {
      await metrics.prepareScrape();
      return new Answer(metrics.text(), { headers: { 'content-type': PROMETHEUS } });
    },
  });
