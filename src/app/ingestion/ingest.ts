// Wires ingest: the readers that parse logs, and the intake that stores them.

import type { Instruments } from '#app/instruments.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import type { DiskReserve } from '#files/disk-reserve.ts';
import { LineDecoder } from '#ingest/decode/line-decoder.ts';
import { Intake, type Watcher } from '#ingest/intake.ts';
import { Pushes } from '#ingest/pushes/pushes.ts';
import { Previews } from '#ingest/reading/previews/previews.ts';
import { Readers } from '#ingest/reading/reader.ts';
import { UnraisedFindings } from '#ingest/unraised-findings.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';

interface IngestDeps {
  readonly engine: LogStore;
  readonly store: Store;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly disk: DiskReserve;
  readonly nodes: Nodes;
}

export async function openIngest(config: Config, deps: IngestDeps, instruments: Instruments) {
  const { engine, store, nodes } = deps;
  const livingNodes = async () => (await nodes.list()).filter(({ state }) => state === 'alive').map(({ name }) => name);
  const intake = new Intake({
    ...deps,
    unraised: new UnraisedFindings({ engine, store, node: nodes.own.name, livingNodes }),
    exceeded: (log) => instruments.modelStepsExceeded(log),
    repaired: instruments.repaired,
    failed: (error) => instruments.defect(error, 'intake'),
  });
  await intake.raiseLeft();
  const readers = new Readers({ ...deps, zone: config['time-zone'], ruleSteps: config['rule-steps'] });
  const lineDecoder = new LineDecoder(deps.engine);
  const pushLimits = {
    bodyBytes: config['push-limit'],
    lineBytes: config['line-limit'],
    lines: config['push-lines'],
    reported: config['rejected-limit'],
  };
  const pushes = new Pushes({
    clock: deps.clock,
    zone: config['time-zone'],
    intake,
    lineDecoder,
    limits: pushLimits,
  });
  const previews = new Previews({
    ...deps,
    zone: config['time-zone'],
    ruleSteps: config['rule-steps'],
    lineBytes: config['line-limit'],
  });
  return { intake, readers, lineDecoder, pushLimits, pushes, previews };
}
