// The same request to the node that has a query and to another one, which passes it on; in turn.

import { requireSame } from './require-same.ts';
import type { ServerProcess } from './server-process.ts';
import { type Service, serviceOf } from './service-calls.ts';
import { timed } from './timed.ts';

/** Milliseconds of each request. */
export interface Forwarded {
  readonly owner: readonly number[];
  readonly other: readonly number[];
}

const WARM_UPS = 20;
const CURSORS = '/api/core/cursors';
const QUERIES = '/api/core/queries';

export async function forwarded(
  { owner, other }: { readonly owner: ServerProcess; readonly other: ServerProcess },
  requests: number,
): Promise<{ readonly status: Forwarded; readonly rows: Forwarded }> {
  const here = serviceOf(owner);
  const there = serviceOf(other);
  const { json } = await here.call('POST', CURSORS, { json: { q: 'json "{a:1}" | repeat count=2000' } });
  const { id } = json;
  const isDone = async () => (await here.call('GET', `${QUERIES}/${id}`)).json.is_finished;
  while (!(await isDone()));
  const ask = (path: string) => inTurn({ here, there }, path, requests);
  return { status: await ask(`${QUERIES}/${id}`), rows: await ask(`${CURSORS}/${id}?offset=0&limit=1000`) };
}

async function inTurn(
  { here, there }: { readonly here: Service; readonly there: Service },
  path: string,
  requests: number,
): Promise<Forwarded> {
  const owner: number[] = [];
  const other: number[] = [];
  for (let turn = 0; turn < WARM_UPS + requests; turn += 1) {
    const direct = await timed(() => here.call('GET', path));
    const passed = await timed(() => there.call('GET', path));
    // The stamp of a status rises with each that is asked for.
    requireSame(path, { ...passed.value.json, stamp: 0 }, { ...direct.value.json, stamp: 0 });
    if (turn < WARM_UPS) continue;
    owner.push(direct.milliseconds);
    other.push(passed.milliseconds);
  }
  return { owner, other };
}
