// What is measured of rules: what they have found, what became of the alarms, what fails, and what took too many steps.

import { ALARM_OUTCOMES, type AlarmReport } from '#detection/alarms.ts';
import type { FailingObject } from '#detection/failure-store.ts';
import type { RaiseResult } from '#detection/raise-events.ts';
import { RULE_KINDS } from '#detection/rule-kinds.ts';
import type { BrokenRule } from '#detection/stream/active-rules.ts';
import type { ExceededLog } from '#ingest/intake.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { ServiceLog } from './service-log.ts';

export function detectionInstruments(metrics: Metrics, log: ServiceLog) {
  const matches = metrics.counter('vigil_rule_matches_total', 'Matches of rules, by kind of rule.');
  const events = metrics.counter('vigil_rule_events_total', 'New events of rules, by kind of rule.');
  const tickets = metrics.counter('vigil_rule_tickets_total', 'Tickets that rules have raised, by kind of rule.');
  const alarms = metrics.counter('vigil_alarms_total', 'Tries to tell a webhook of an event, by outcome.');
  for (const kind of RULE_KINDS) for (const one of [matches, events, tickets]) one.add({ kind }, 0);
  for (const outcome of ALARM_OUTCOMES) alarms.add({ outcome }, 0);
  return {
    ...stepInstruments(metrics, log),
    raised({ rule: { kind, guid }, missing, ...found }: RaiseResult) {
      matches.add({ kind }, found.matches);
      events.add({ kind }, found.events);
      tickets.add({ kind }, found.tickets);
      for (const thing of missing) log.error({ kind, rule: guid, missing: thing }, 'what a rule refers to has gone');
    },
    capped({ guid, ...found }: { guid: string; matches: number; most: number }) {
      log.warn({ kind: 'stream', rule: guid, ...found }, 'a rule has found more at once than becomes events');
    },
    broken({ guid, name, reason }: BrokenRule) {
      log.error({ kind: 'stream', rule: guid, name, reason }, 'a rule cannot judge anything until it is changed');
    },
    failing({ kind, guid, name }: FailingObject, reason: string | undefined) {
      if (reason === undefined) log.info({ kind, guid, name }, 'works again');
      else log.error({ kind, guid, name, reason }, 'begins to fail');
    },
    failureGroupMissing(group: string, isAlarmDue: boolean) {
      const what = isAlarmDue ? 'an alarm was due and nobody could be told' : 'nobody is told of what fails';
      log.warn({ group }, `failure-alarm-group names no alarm group: ${what}`);
    },
    alarmed({ outcome, ...fields }: AlarmReport) {
      alarms.add({ outcome });
      if (outcome === 'failed') log.error(fields, 'an alarm could not be delivered');
      if (outcome === 'retried') log.warn(fields, 'an alarm could not be delivered and is tried again');
    },
  };
}

/** Rules that took too many steps for a log (operations reference 1.6). */
function stepInstruments(metrics: Metrics, log: ServiceLog) {
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
