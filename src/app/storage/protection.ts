// Metrics and log lines about the files and keys of tables and uploads.

import { describeError, type ServiceLog } from '#app/service-log.ts';
import type { Narrowed } from '#files/owner-only.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { FoundCorruption } from '#logs/corruption.ts';
import type { UnusableSecret } from '#vault/vault.ts';

export function protectionInstruments(metrics: Metrics, log: ServiceLog) {
  const damages = metrics.counter('vigil_damaged_files_total', 'Damaged files of tables and uploads found.');
  damages.add({}, 0);
  return {
    narrowed(narrowed: Narrowed) {
      const { files, folders, refused } = narrowed;
      if (files + folders > 0)
        log.warn({ files, folders }, 'modes in the data folder were too wide and are now owner-only');
      if (refused > 0)
        log.warn(
          { refused },
          'modes in the data folder are too wide and cannot be changed: another user owns the files',
        );
    },
    damaged({ table, path, cause }: FoundCorruption) {
      damages.add({});
      log.error(
        { table, file: path, ...(cause ? { error: describeError(cause) } : {}) },
        'a file of a table is damaged',
      );
    },
    unopened(table: string, reason: string) {
      log.error({ table, reason }, 'a table with fresh records stays closed');
    },
    clearUrls(webhooks: number) {
      log.error({ webhooks }, 'urls of webhooks are not encrypted: put the master secret back and restart');
    },
    unusableSecret({ secret, file, profiles }: UnusableSecret) {
      const message = `the master secret is ${secret}, and the tables of these crypto profiles are closed: put it back and restart`;
      log.error({ file, profiles }, message);
    },
  };
}
