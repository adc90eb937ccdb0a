// GET /metrics

import type { Metrics } from '#kernel/metrics.ts';
import { string } from '#operations/answers/shapes.ts';
import { type Access, Answer, endpoint } from '#operations/endpoint.ts';

/** Labels with names or GUIDs of objects: they are shown to administrators, not to strangers. */
const OBJECT_LABELS = ['table', 'logger', 'account'];

const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';

/** Without a key unless a setting requires one. */
export const metricsFor = (access: Access) =>
  endpoint({
    title: 'Get metrics',
    notes:
      'Prometheus text format. The setting `metrics = "closed"` asks for the key of an administrator: 401 without ' +
      'a key, `no-permission` for a MEMBER. While metrics are open no label names a table, a logger or an account: ' +
      'records are counted by sender protocol then, and by table and logger where metrics are closed. No audit entry is ' +
      'written.',
    method: 'GET',
    path: '/metrics',
    access,
    params: {},
    answer: string,
    answerType: 'text/plain',

    async run(_input, { metrics }: { metrics: Metrics }) {
      await metrics.prepareScrape();
      const without = access === 'none' ? OBJECT_LABELS : [];
      return new Answer(metrics.text({ without }), { headers: { 'content-type': PROMETHEUS } });
    },
  });
