// How many syslog messages are taken without losing any, beside a receiver that only counts them.

import { setTimeout as pause } from 'node:timers/promises';
import { createCollector } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf } from '#test/support/logs.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { benchServer, launch, type ServerProcess, vigil } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { type SyslogOrder, startSender } from './support/syslog.ts';
import { workFolder } from './support/work-folder.ts';

const RATES = [1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 50_000, 80_000];
const STILL_MS = 2_000;
const LOOK_MS = 50;

export const syslog: Bench = {
  name: 'syslog',
  question: 'How many syslog messages per second does a logger take without losing any?',
  yardstick: 'node:dgram and node:net that take the same messages and only count them',
  aim: 'none, told only',

  async run(effort) {
    using folder = workFolder();
    await using sender = startSender();
    await using receivers = new AsyncDisposableStack();
    const bare = receivers.adopt(await startBare(), ({ server }) => server.stop());
    const ours = receivers.adopt(await startOurs(folder.at('service'), folder.at('log')), ({ server }) =>
      server.stop(),
    );
    const send = (order: SyslogOrder) => sender.run(order);
    const rows: Row[] = [];
    const messages = effort.isQuick ? 20_000 : 500_000;
    const counted = await overTcp(bare, messages, send);
    const kept = await overTcp(ours, messages, send);
    rows.push({ what: 'TCP, one connection: messages', value: kept.rate, unit: '/s', yardstick: counted.rate });
    rows.push({ what: 'TCP: processor time', value: kept.cpu, unit: 'µs', yardstick: counted.cpu });
    const most = await overUdp(bare, effort, send);
    rows.push({
      what: 'UDP: messages, nothing lost',
      value: await overUdp(ours, effort, send),
      unit: '/s',
      yardstick: most,
    });
    await requireWhole(ours);
    return { rows, notes: NOTES };
  },
};

const NOTES = [
  'Messages of RFC 5424, about 100 bytes, read by the parser `syslog` into a columnar table, from one other process. Over TCP the sender is as fast as it is let; the time is until the last message is kept. Over UDP the rate rises step by step for some seconds each; told is the last step at which every message arrived.',
  'What a service counts as kept is durable and can be queried; that is checked in the end.',
  'Over UDP the system drops what does not fit into its buffer, for both: the setting net.core.rmem_max of the machine decides how much that is.',
];

interface Receiver {
  readonly server: ServerProcess;
  readonly ports: { readonly udp: number; readonly tcp: number };
  taken(transport: 'udp' | 'tcp'): Promise<number>;
}

async function startBare(): Promise<Receiver> {
  const port = await freePort();
  const server = await launch({ script: benchServer('bare-syslog.mjs'), args: (http) => [String(http), String(port)] });
  await server.ready('/');
  return {
    server,
    ports: { udp: port, tcp: port },
    async taken(transport) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/`);
      return Number(((await answer.json()) as Record<string, unknown>)[transport]);
    },
  };
}

async function startOurs(folder: string, logFile: string): Promise<Receiver> {
  const server = await launch(vigil({ folder, logFile }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const ports = { udp: await freePort(), tcp: await freePort() };
  const guids = new Map<string, string>();
  for (const transport of ['udp', 'tcp'] as const) {
    const configs = { port: ports[transport], bind: '127.0.0.1' };
    const factory = `syslog-${transport}` as const;
    guids.set(transport, await createCollector(service, { table: transport, factory, configs, parser: 'syslog' }));
  }
  return {
    server,
    ports,
    async taken(transport) {
      const { json } = await service.call('GET', `/api/core/loggers/${guids.get(transport)}`);
      return json.logger.log_count;
    },
  };
}

/** What was counted can be read. */
async function requireWhole({ server, taken }: Receiver): Promise<void> {
  for (const table of ['udp', 'tcp'] as const) {
    const [row] = await rowsOf(serviceOf(server), `table ${table} | stats count`);
    if (row.count !== (await taken(table))) throw new Error(`${table}: ${row.count} messages can be read`);
  }
}

type Send = (order: SyslogOrder) => Promise<unknown>;

async function overTcp({ server, ports, taken }: Receiver, messages: number, send: Send) {
  const before = await taken('tcp');
  const cpu = server.cpuSeconds() ?? Number.NaN;
  const begun = performance.now();
  await send({ transport: 'tcp', port: ports.tcp, messages });
  while ((await taken('tcp')) - before < messages) await pause(LOOK_MS);
  const seconds = (performance.now() - begun) / 1000;
  return { rate: messages / seconds, cpu: (((server.cpuSeconds() ?? Number.NaN) - cpu) / messages) * 1e6 };
}

/** The highest rate at which nothing is lost. */
async function overUdp(receiver: Receiver, { isQuick, say }: Effort, send: Send): Promise<number> {
  let highest = 0;
  for (const perSecond of isQuick ? RATES.slice(0, 3) : RATES) {
    say(`UDP, ${perSecond} messages per second`);
    const messages = perSecond * (isQuick ? 1 : 5);
    const before = await receiver.taken('udp');
    await send({ transport: 'udp', port: receiver.ports.udp, messages, perSecond });
    if ((await settled(receiver)) - before < messages) return highest;
    highest = perSecond;
  }
  return highest;
}

/** How many there are once no more come. */
async function settled({ taken }: Receiver): Promise<number> {
  let count = await taken('udp');
  for (let still = 0; still < STILL_MS; still += LOOK_MS) {
    await pause(LOOK_MS);
    const now = await taken('udp');
    if (now !== count) still = 0;
    count = now;
  }
  return count;
}
