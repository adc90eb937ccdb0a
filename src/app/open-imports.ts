// Wires the uploads: their limits, and who looks at what they bring.

import { join } from 'node:path';
import { openUploads, type Uploads } from '#resources/upload-streams/uploads.ts';
import type { UploadsDeps } from '#resources/upload-streams/uploads-deps.ts';
import type { Config } from '#settings/index.ts';
import type { instruments } from './instruments.ts';

type ImportNeeds = Pick<UploadsDeps, 'store' | 'engine' | 'vault' | 'clock' | 'watcher'>;

export function openImports(
  config: Config,
  needs: ImportNeeds,
  measured: ReturnType<typeof instruments>,
): Promise<Uploads> {
  return openUploads({
    ...needs,
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
    damaged: (found) => measured.damaged(found),
    failed: (error) => measured.defect(error, 'uploads'),
  });
}
