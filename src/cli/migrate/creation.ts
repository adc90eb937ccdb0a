// Creates objects by the ordinary operations. One that the service refuses leaves nothing behind, and does not hinder the others.

import type { Client } from '#cli/kit/client.ts';
import { ServiceError } from '#cli/kit/failures/failure.ts';
import type { FoundQueryError } from '#cli/kit/failures/findings.ts';
import type { RequestFor } from '#client/call.ts';
import type { ExportedObject } from './exported-objects.ts';
import type { Finding } from './finding.ts';
import type { Installation } from './installation.ts';
import type { Verdict } from './verdicts.ts';

interface CreationDeps {
  readonly client: Client;
  readonly installation: Installation;
}

export interface Created extends Verdict {
  readonly isCreated: boolean;
}

export async function created(verdict: Verdict, deps: CreationDeps): Promise<Created> {
  const { object, status } = verdict;
  if (status === 'refused') return { ...verdict, isCreated: false };
  try {
    if (status === 'exists') return { ...verdict, isCreated: await loadRowsThatAreMissing(object, deps) };
    await create(object, deps);
    return { ...verdict, isCreated: true };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { object, status: 'refused', findings: [...verdict.findings, findingOf(error)], isCreated: false };
  }
}

/** A run that was broken off may have made a lookup without its rows. */
async function loadRowsThatAreMissing(
  object: ExportedObject,
  { client, installation }: CreationDeps,
): Promise<boolean> {
  const guid = installation.unloadedLookup(object);
  if (guid === undefined) return false;
  await loadRows(client, guid, object);
  return true;
}

async function create(object: ExportedObject, { client }: CreationDeps): Promise<void> {
  const { kind, fields } = object;
  // The fields were read by the parameters of the operation.
  const params = fields as unknown;
  if (kind === 'table') await client.call('POST /api/core/tables', params as RequestFor<'POST /api/core/tables'>);
  if (kind === 'parser') await client.call('POST /api/core/parsers', params as RequestFor<'POST /api/core/parsers'>);
  if (kind === 'lookup') await createLookup(client, object);
  if (kind === 'procedure')
    await client.call('POST /api/core/procedures', params as RequestFor<'POST /api/core/procedures'>);
  if (kind === 'dataset') await client.call('POST /api/core/datasets', params as RequestFor<'POST /api/core/datasets'>);
  if (kind === 'schedule')
    await client.call('POST /api/core/scheduled-queries', params as RequestFor<'POST /api/core/scheduled-queries'>);
  if (kind === 'dashboard')
    await client.call('POST /api/core/dashboards', params as RequestFor<'POST /api/core/dashboards'>);
}

/** A lookup whose rows are refused is removed again. */
async function createLookup(client: Client, object: ExportedObject): Promise<void> {
  const params = object.fields as unknown as RequestFor<'POST /api/core/lookups'>;
  const { guid } = await client.call('POST /api/core/lookups', params);
  try {
    await loadRows(client, guid, object);
  } catch (error) {
    await client.call('DELETE /api/core/lookups', { guids: [guid] });
    throw error;
  }
}

async function loadRows(client: Client, guid: string, { rows }: ExportedObject): Promise<void> {
  if (!rows) return;
  const headers = { 'content-type': 'text/csv' };
  const answer = await client.request(
    'PUT /api/core/lookups/:guid/rows',
    { guid },
    { headers, body: new Uint8Array(rows) },
  );
  if (!answer.ok) throw await client.errorIn(answer);
}

function findingOf(error: ServiceError): Finding {
  const [first] = (error.details.mistakes ?? []) as readonly FoundQueryError[];
  return { severity: 'error', code: first?.code ?? error.code, message: first?.message ?? error.message };
}
