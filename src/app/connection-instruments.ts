// What is measured of connections and of what arrives on them.

import type { ConnectionObserver } from '#http/server.ts';
import type { Metrics } from '#kernel/metrics.ts';

export function connectionInstruments(metrics: Metrics) {
  let connections = 0;
  metrics.gauge('vigil_http_connections_open', 'Connections that are open.', () => connections);
  const observer: ConnectionObserver = {
    connected() {
      connections += 1;
    },
    disconnected() {
      connections -= 1;
    },
  };
  return {
    ...observer,
    watchBodies(bodies: { readonly heldBytes: number }) {
      metrics.gauge('vigil_http_body_bytes', 'Bytes of request bodies held in memory.', () => bodies.heldBytes);
    },
  };
}
