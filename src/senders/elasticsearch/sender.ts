// Elasticsearch's bulk interface: its clients, Beats, Logstash, Fluent Bit, Vector. A whole 429 makes the stock client give up,
// so that back-pressure is told for each item.

import { arrayOf, boolean, int32, map, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { anyText, inQuery, required } from '#operations/params/params.ts';
import { textAt } from '#senders/records/growing.ts';
import type { LogRoute, Sender } from '#senders/sender.ts';
import { errorAnswer, refuseElastic } from './answers.ts';
import { bulkAnswer, documentAnswer } from './bulk-answer.ts';
import { ACTIONS, type BulkFacts } from './bulk-facts.ts';
import { decodeElasticsearch } from './decode.ts';
import { elasticProbes } from './probes.ts';

const CREATE = ACTIONS.indexOf('create');

const bulkShape = record({
  took: int32('Milliseconds that the request took.', 12),
  errors: boolean('Whether an item has an error.', false),
  items: arrayOf(map)('One item for each action, under its name: `_index`, `_id`, `status`, and `result` or `error`.', [
    { create: { _index: 'web', _id: 'a1', status: 201, result: 'created' } },
  ]),
});

const documentShape = record({
  _index: string('Name of the index.', 'web'),
  _id: string('Id of the document.', 'a1'),
  _version: int32('Always 1.', 1),
  result: string('Always `created`.', 'created'),
  _shards: record({
    total: int32('Always 1.', 1),
    successful: int32('Always 1.', 1),
    failed: int32('Always 0.', 0),
  })('Copies that were written.'),
});

const index = required(anyText, 'Name of the index, for actions that name none.');
const opType = inQuery(described(anyText, '`create` makes a `create` of an `index`.'));

const bulkRoute = (method: LogRoute['method'], path: '/_bulk' | '/:index/_bulk', location: string): LogRoute => ({
  name: 'bulk',
  title: `Send documents (Elasticsearch, ${method}${location})`,
  notes:
    'Actions and documents as NDJSON. `create` and `index` store one record each; a `create` whose `_id` was stored ' +
    'within the time of the setting `senders-window` is 409 and not stored again. `update` and `delete` are refused. ' +
    'A record that could not be stored now has the status 429.',
  method,
  path,
  params: path === '/_bulk' ? {} : { index },
  answer: bulkShape,
});

export const elasticsearch: Sender<BulkFacts> = {
  name: 'elasticsearch',
  routes: [
    bulkRoute('POST', '/_bulk', ''),
    bulkRoute('PUT', '/_bulk', ''),
    bulkRoute('POST', '/:index/_bulk', ', for an index'),
    bulkRoute('PUT', '/:index/_bulk', ', for an index'),
    {
      name: 'doc',
      title: 'Send document (Elasticsearch)',
      notes: 'The body is one record.',
      method: 'POST',
      path: '/:index/_doc',
      params: { index, op_type: opType },
      answer: documentShape,
      answerStatus: 201,
    },
  ],
  probes: elasticProbes,
  types: [
    'application/x-ndjson',
    'application/json',
    'application/vnd.elasticsearch+json',
    'application/vnd.elasticsearch+ndjson',
    'application/vnd.elasticsearch+x-ndjson',
  ],
  sample: '{"create":{"_index":"web"}}\n{"message":"hello"}\n',
  rejectsTables: 'item',
  reportsFaults: 'item',
  refusals: { shape: errorAnswer, of: refuseElastic },
  decode: decodeElasticsearch,
  onceIdOf: ({ actions, ids }, item) => (actions[item] === CREATE ? textAt(ids, item) : ''),
  answer: (outcome) => (outcome.request.route === 'doc' ? documentAnswer(outcome) : bulkAnswer(outcome)),
};
