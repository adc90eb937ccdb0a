// Requests that clients of Elasticsearch make before and beside sending. Templates, policies and pipelines are acknowledged and
// not kept: tables need none.

import type { Nodes } from '#cluster/members/membership.ts';
import { prefersHtml } from '#operations/accepted.ts';
import { boolean, map, nothing, record, string } from '#operations/answers/shapes.ts';
import { type AnyEndpoint, type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, required } from '#operations/params/params.ts';
import { noTable } from '#senders/sender-error.ts';
import type { SenderTables } from '#senders/tables/sender-tables.ts';
import { elasticAnswer, errorAnswer, refuseElastic } from './answers.ts';

interface ProbeNeeds extends Call {
  readonly senderTables: SenderTables;
  readonly nodes: Nodes;
  /** The setting `senders-elasticsearch-version`. */
  readonly elasticsearchVersion: string;
}

/** Any text of the right length: clients only show it. */
const CLUSTER_UUID = 'dmlnaWwgdmlnaWwgdmlnaWw';
const FEATURES = ['ilm', 'ml', 'security', 'monitoring', 'watcher'];

const shared = {
  protocol: 'elasticsearch',
  access: 'MEMBER',
  takesLogs: 'pushed',
  auditedRefusal: 'senders.push',
  isUnit: false,
  refusals: { shape: errorAnswer, of: refuseElastic },
} as const;

const root = endpoint({
  ...shared,
  title: 'Get cluster (Elasticsearch)',
  notes: 'Answered unless the request prefers a page: `Accept` with `text/html`.',
  method: 'GET',
  path: '/',
  params: {},
  answer: record({
    name: string('Name of the node.', 'node1'),
    cluster_name: string('Name of the cluster.', 'vigil'),
    cluster_uuid: string('Id of the cluster.', CLUSTER_UUID),
    version: record({
      number: string('Version that clients are told.', '8.19.0'),
      build_flavor: string('Always `default`.', 'default'),
    })('Version of Elasticsearch that the protocol is of.'),
    tagline: string('The tagline that clients look for.', 'You Know, for Search'),
  }),
  appliesTo: ({ headers }) => !prefersHtml(headers.accept),

  run: async (_input, { accept, elasticsearchVersion, nodes }: ProbeNeeds) =>
    elasticAnswer(
      {
        name: nodes.own.name,
        cluster_name: 'vigil',
        cluster_uuid: CLUSTER_UUID,
        version: { number: elasticsearchVersion, build_flavor: 'default' },
        tagline: 'You Know, for Search',
      },
      accept,
    ),
});

const LICENSE = { uid: CLUSTER_UUID, type: 'basic', mode: 'basic', status: 'active' };

const license = endpoint({
  ...shared,
  title: 'Get license (Elasticsearch)',
  method: 'GET',
  path: '/_license',
  params: {},
  answer: record({ license: map('The license, always basic and active.', LICENSE) }),

  run: async (_input, { accept }: ProbeNeeds) => elasticAnswer({ license: LICENSE }, accept),
});

const xpack = endpoint({
  ...shared,
  title: 'Get features (Elasticsearch)',
  method: 'GET',
  path: '/_xpack',
  params: {},
  answer: record({
    license: map('The license, always basic and active.', LICENSE),
    features: map('The features, none of them available.', { ilm: { available: false, enabled: false } }),
  }),

  async run(_input, { accept }: ProbeNeeds) {
    const features = Object.fromEntries(FEATURES.map((name) => [name, { available: false, enabled: false }]));
    return elasticAnswer({ license: LICENSE, features }, accept);
  },
});

const clusterHealth = endpoint({
  ...shared,
  title: 'Get cluster health (Elasticsearch)',
  method: 'GET',
  path: '/_cluster/health',
  params: {},
  answer: record({ status: string('Always `green`.', 'green') }),

  run: async (_input, { accept }: ProbeNeeds) => elasticAnswer({ status: 'green' }, accept),
});

const indexExists = endpoint({
  ...shared,
  title: 'Check index (Elasticsearch)',
  notes: '200 where documents for the index would find a table, otherwise 404.',
  method: 'HEAD',
  path: '/:index',
  params: { index: required(anyText, 'Name of the index.') },
  answer: nothing,

  async run({ index }, { accept, senderTables, caller }: ProbeNeeds) {
    if (!(await senderTables.exists(index, caller))) throw noTable(index);
    return elasticAnswer({}, accept);
  },
});

const OBJECTS = [
  ['lifecycle policy', '/_ilm/policy/:name'],
  ['index template', '/_index_template/:name'],
  ['component template', '/_component_template/:name'],
  ['legacy template', '/_template/:name'],
  ['ingest pipeline', '/_ingest/pipeline/:name'],
  ['data stream', '/_data_stream/:name'],
] as const;

const objectProbes = OBJECTS.flatMap(([thing, path]) => [
  endpoint({
    ...shared,
    title: `Get ${thing} (Elasticsearch)`,
    notes: 'Nothing of the kind is kept; the answer says that it exists.',
    method: 'GET',
    path,
    params: { name: required(anyText, `Name of the ${thing}.`) },
    answer: nothing,

    run: async (_input, { accept }: ProbeNeeds) => elasticAnswer({}, accept),
  }),
  endpoint({
    ...shared,
    title: `Put ${thing} (Elasticsearch)`,
    notes: 'Acknowledged and not kept.',
    method: 'PUT',
    path,
    params: { name: required(anyText, `Name of the ${thing}.`) },
    rawBody: { types: ['*/*'], sample: '{}' },
    answer: record({ acknowledged: boolean('Always true.', true) }),

    run: async (_input, { accept }: ProbeNeeds) => elasticAnswer({ acknowledged: true }, accept),
  }),
]);

export const elasticProbes = [
  root,
  license,
  xpack,
  clusterHealth,
  indexExists,
  ...objectProbes,
] as unknown as readonly AnyEndpoint[]; // Their needs are those of ProbeNeeds, which app wires.
