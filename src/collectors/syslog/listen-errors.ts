// Errors of listening on a port, in words for the field `failure`.

import { CollectorError } from '#collectors/collector.ts';

export interface ListenAddress {
  readonly port: number;
  readonly bind: string;
}

export function listenErrorOf(cause: unknown, { port, bind }: ListenAddress): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return new CollectorError(`port is in use: ${port}`, { cause });
  if (code === 'EACCES') return new CollectorError(`port is not permitted: ${port}`, { cause });
  if (code === 'EADDRNOTAVAIL') return new CollectorError(`address is not available: ${bind}`, { cause });
  return cause;
}
