// A sender of syslog messages, seen from a bench: a process of its own.

import { startWorker, type Worker } from './worker.ts';

export interface SyslogOrder {
  readonly transport: 'udp' | 'tcp';
  readonly port: number;
  readonly messages: number;
  /** As fast as the receiver lets it, where it is not said. */
  readonly perSecond?: number;
}

export interface SyslogSent {
  readonly milliseconds: number;
}

export const startSender = (): Worker<SyslogOrder, SyslogSent> => startWorker('syslog-process.ts');
