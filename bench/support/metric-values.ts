// Values of /metrics, as a bench reads them.

import type { ServerProcess } from './server-process.ts';
import { serviceOf } from './service-calls.ts';

/** The sum over all series of a name whose labels hold `label`. */
export async function metricOf({ port }: Pick<ServerProcess, 'port'>, name: string, label = ''): Promise<number> {
  const { text } = await serviceOf({ port }).call('GET', '/metrics');
  return text
    .split('\n')
    .filter((line) => new RegExp(`^${name}[ {]`).test(line) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
