// Wires the uploads: their limits, and the watcher of imported logs.

import { join } from 'node:path';
import type { Instruments } from '#app/instruments.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import { openUploads, type Uploads, type UploadsDeps } from '#resources/upload-streams/uploads/uploads.ts';
import type { Config } from '#settings/index.ts';

type UploadDeps = Omit<
  UploadsDeps,
  'node' | 'living' | 'zone' | 'folder' | 'limits' | 'repaired' | 'damaged' | 'failed'
> & {
  readonly nodes: Nodes;
};

export function openUploadStreams(config: Config, deps: UploadDeps, instruments: Instruments): Promise<Uploads> {
  return openUploads({
    ...deps,
    node: deps.nodes.own.name,
    living: (db) => deps.nodes.living(db),
    zone: config['time-zone'],
    folder: join(config.data, 'uploads'),
    limits: {
      bytes: config['upload-limit'],
      streams: config['upload-streams'],
      streamsPerAccount: config['upload-streams-per-account'],
      lineBytes: config['line-limit'],
      reported: config['rejected-limit'],
      idle: Temporal.Duration.from({ seconds: config['upload-idle'] }),
    },
    repaired: instruments.repaired,
    damaged: (found) => instruments.damaged(found),
    failed: (error) => instruments.defect(error, 'uploads'),
  });
}
