// Metrics in tests. Each node of a service tells of itself, so what a test counts is added up over them.

import { type Service, send } from './service.ts';

/** The samples of /metrics, a line each, with the sums over all nodes of the service. */
export async function metricsOf({ nodeUrls }: Pick<Service, 'nodeUrls'>): Promise<string> {
  const pages = await Promise.all(nodeUrls.map((url) => send(`${url}/metrics`, 'GET')));
  const sums = new Map<string, number>();
  for (const line of pages.flatMap(({ text }) => text.split('\n'))) {
    const [, sample, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
    if (sample !== undefined) sums.set(sample, (sums.get(sample) ?? 0) + Number(value));
  }
  return `${[...sums].map(([sample, sum]) => `${sample} ${sum}`).join('\n')}\n`;
}
