// A node of another version, or one that is damaged: a row in the database whose address answers as a test says.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cluster } from './cluster.ts';

export type FixedAnswer = readonly [status: number, body: string];

export interface ForeignNode extends AsyncDisposable {
  /** To every request from now on. */
  answer: FixedAnswer;
}

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Lives for ten minutes by its lease, or until it is disposed of. */
export async function startForeignNode(cluster: Pick<Cluster, 'sql'>, name: string): Promise<ForeignNode> {
  const server = createServer((request, reply) => {
    const [status, body] = node.answer;
    request.resume().once('end', () => reply.writeHead(status).end(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  await cluster.sql(
    `insert into nodes (name, types, address, version, is_standby, lease, lease_ms, started_at, last_seen)
     values ('${name}', 'data', 'http://127.0.0.1:${port}', '0', 0, 'x', 600000, ${NOW}, ${NOW})`,
  );
  const node: ForeignNode = {
    answer: [404, ''],
    async [Symbol.asyncDispose]() {
      await cluster.sql(`delete from nodes where name = '${name}'`);
      server.closeAllConnections();
      server.close();
    },
  };
  return node;
}
