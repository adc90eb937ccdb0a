// Datagrams dropped by the operating system because the receive buffer of a port was full. Known on Linux only.

import { readFile } from 'node:fs/promises';

/** Drops of all sockets on the port; undefined where the system does not report them. */
export async function systemDrops(port: number): Promise<number | undefined> {
  const tables = await Promise.all(
    ['/proc/net/udp', '/proc/net/udp6'].map((path) => readFile(path, 'latin1').catch(() => undefined)),
  );
  const known = tables.filter((table) => table !== undefined);
  return known.length === 0 ? undefined : dropsIn(known.join('\n'), port);
}

/** `sl  local_address rem_address … drops`: the second column ends in the port, the last is the number. */
export function dropsIn(table: string, port: number): number {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter(([, local = '']) => local.endsWith(ending)).reduce((sum, row) => sum + Number(row.at(-1) ?? 0), 0);
}
