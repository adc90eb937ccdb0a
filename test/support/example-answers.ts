// Answers of hosts in examples: a server of this machine gives them, whatever host the example names.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendRequest } from '#connections/web/web-client.ts';
import { completedUrl, requestUrl } from '#connections/web/web-urls.ts';
import { type HostList, hostList } from '#kernel/net/host-list.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { WebRows } from '#query/local/web-rows.ts';
import type { QueryExample } from '#query/model/example.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { RowScope } from '#query/plan-nodes/shared/row-scope.ts';
import type { SendableRequest, WebAnswer, WebRequest } from '#query/plan-nodes/shared/web.ts';
import type { WebRequests } from '#query/plan-nodes/wget.ts';
import { type Row, readField } from '#query/rows/row.ts';

type Answers = NonNullable<QueryExample['answers']>;

/** The connection profile that every example may use. */
export const EXAMPLE_PROFILE = {
  guid: 'f2f7c6a0-0000-4000-8000-000000000000',
  name: 'api',
  kind: 'http',
  mayWrite: true,
} as const;
const BASE_URL = 'https://api.example.com/';

/** Hosts of the setting `outbound-hosts` in examples: those that give an answer, and that of the profile. */
export const exampleHosts = (answers: Answers = {}): HostList =>
  hostList([BASE_URL, ...Object.keys(answers)].flatMap((url) => URL.parse(url)?.hostname ?? []));

/** Sends the request of each row, and fills in the answer. */
export async function answeredRows(
  node: WebRequests,
  rows: readonly Row[],
  { answers = {}, run }: { answers: Answers | undefined; run: RunFacts },
) {
  const web = new WebRows(node, new RowScope({ run, constants: new Map() }, readField));
  await using hosts = await openExampleHosts(answers);
  for (const row of rows) web.fill(row, await hosts.send(node, web.request(row)));
  return rows;
}

export interface ExampleHosts extends AsyncDisposable {
  send(node: WebRequests, request: WebRequest): Promise<WebAnswer>;
}

export async function openExampleHosts(answers: Answers = {}): Promise<ExampleHosts> {
  const server = createServer(({ headers, url }, response) => {
    const answer = answers[`${headers['x-origin']}${url}`];
    response.writeHead(answer?.status ?? 500).end(answer?.text);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // Of a server that listens on a port.
  return {
    send: async (node, request) =>
      typeof request === 'string'
        ? { error: request }
        : await sent(node, request, { port, hosts: exampleHosts(answers) }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function sent(
  { target, method }: WebRequests,
  request: SendableRequest,
  { port, hosts }: { port: number; hosts: HostList },
): Promise<WebAnswer> {
  const url = 'profile' in target ? completedUrl(BASE_URL, request.url) : requestUrl(request.url ?? '');
  if (!url) return { error: 'malformed-url' };
  if (!hosts.has(url.hostname, url.protocol === 'https:' ? 443 : 80)) return { error: 'host-not-allowed' };
  return await sendRequest(
    {
      url: new URL(`http://127.0.0.1:${port}${url.pathname}${url.search}`),
      method,
      headers: { ...Object.fromEntries(request.headers), 'x-origin': url.origin },
      body: request.body,
      maxBytes: 2 ** 24,
      timeout: Temporal.Duration.from({ seconds: 10 }),
    },
    { hosts: hostList([`127.0.0.1:${port}`]), clock: systemClock, begin: () => undefined },
    new AbortController().signal,
  );
}
