// Why a port cannot be listened on, in words for `failure`.

import { Obstacle } from '#collectors/collector.ts';

interface Place {
  readonly port: number;
  readonly bind: string;
}

export function obstacleOf(cause: unknown, { port, bind }: Place): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return new Obstacle(`port is in use: ${port}`, { cause });
  if (code === 'EACCES') return new Obstacle(`port is not permitted: ${port}`, { cause });
  if (code === 'EADDRNOTAVAIL') return new Obstacle(`address is not available: ${bind}`, { cause });
  return cause;
}
