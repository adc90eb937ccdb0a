// Documents of Elasticsearch as records: lines of actions with their documents, or one document alone.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Decoded, SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { BulkActions } from './bulk.ts';
import type { BulkFacts } from './bulk-facts.ts';

export function* decodeElasticsearch(
  body: Buffer,
  request: SenderRequest,
  target?: LineTarget,
): SlicedWork<Decoded<BulkFacts>> {
  const actions = new BulkActions(body, request, target);
  return request.route === 'doc' ? actions.decodeDocument() : yield* actions.decode();
}
