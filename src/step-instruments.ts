// What is measured of rules that took too many steps for a log (operations reference 1.6).

import type { ExceededLog } from '#ingest/intake.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { ServiceLog } from './service-log.ts';

export function stepInstruments(metrics: Metrics, log: ServiceLog) {
  const exceeded = metrics.counter(
    'vigil_rule_steps_exceeded_total',
    'Logs that a rule did not judge because it took too many steps, by kind: stream rules, and rules of logger models.',
  );
  for (const kind of ['stream', 'model']) exceeded.add({ kind }, 0);
  return {
    stepsExceeded(kind: 'stream' | 'model', logs: number) {
      exceeded.add({ kind }, logs);
    },
    modelStepsExceeded({ table, id, rules, logs }: ExceededLog) {
      exceeded.add({ kind: 'model' }, logs);
      log.warn(
        { table, _id: id, rules, logs },
        'rules of a logger model took too many steps: the log is kept as it came',
      );
    },
  };
}
