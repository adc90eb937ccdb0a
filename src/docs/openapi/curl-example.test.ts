import { describe, expect, it } from 'vitest';
import { nothing } from '#operations/answers/shapes.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import {
  addresses,
  anyText,
  flag,
  guid,
  guids,
  int,
  oneOf,
  orElse,
  required,
  secret,
  text,
} from '#operations/params/params.ts';
import { operations, ownOperations } from '#resources/index.ts';
import { settings } from '#settings/index.ts';
import { curlExample, DEFAULT_URL, sampleOf } from './curl-example.ts';
import { factsOf } from './operation-facts.ts';

// As in app.ts: the declarations are only read.
const endpoints = [...operations, ...ownOperations('open')] as unknown as readonly AnyEndpoint[];

const declared = (parts: Partial<AnyEndpoint>): AnyEndpoint => ({
  title: 'Made for a test',
  method: 'GET',
  path: '/api/core/things',
  access: 'ADMIN',
  params: {},
  answer: nothing,
  run: async () => ({}),
  ...parts,
});

const GUID = '5b0c2f4e-8d1a-4c3b-9f6e-2a7d8e9c0b1f';
const THINGS = 'http://127.0.0.1:8470/api/core/things';
const KEY = '-H "Authorization: Bearer $VIGIL_KEY"';

const CALLS: readonly { it: string; of: Partial<AnyEndpoint>; is: readonly string[] }[] = [
  { it: 'a read that requires nothing', of: { params: { offset: orElse(int(), 0) } }, is: [`curl '${THINGS}'`, KEY] },
  {
    it: 'a read that requires something',
    of: { params: { name: required(anyText) } },
    is: [`curl -G '${THINGS}'`, KEY, "--data-urlencode 'name=example'"],
  },
  {
    it: 'an object in the path',
    of: { path: '/api/core/things/:guid', params: { guid: required(guid) } },
    is: [`curl '${THINGS}/${GUID}'`, KEY],
  },
  {
    it: 'values of every kind, quoted for the shell',
    of: { method: 'POST', params: { mood: required(oneOf(["it's", 'b'])), loud: required(flag), note: text(5) } },
    is: [`curl -X POST '${THINGS}'`, KEY, "--data-urlencode 'mood=it'\\''s'", "--data-urlencode 'loud=true'"],
  },
  {
    it: 'a creation with the guid of the other examples',
    of: { method: 'POST', params: { guid, name: required(text(5)) } },
    is: [`curl -X POST '${THINGS}'`, KEY, `--data-urlencode 'guid=${GUID}'`, "--data-urlencode 'name=example'"],
  },
  {
    it: 'a change that requires nothing, with one parameter',
    of: { method: 'PUT', params: { size: int(60n, 90n), name: anyText } },
    is: [`curl -X PUT '${THINGS}'`, KEY, "--data-urlencode 'size=60'"],
  },
  {
    it: 'a removal',
    of: { method: 'DELETE', params: { guids: required(guids) } },
    is: [`curl -X DELETE '${THINGS}'`, KEY, `--data-urlencode 'guids=${GUID}'`],
  },
  {
    it: 'a login, with the key as the secret',
    of: { method: 'POST', access: 'none', params: { api_key: secret(required(anyText)) } },
    is: [`curl -X POST '${THINGS}'`, '--data-urlencode "api_key=$VIGIL_KEY"'],
  },
  {
    it: 'another secret, as a variable of its own',
    of: { method: 'POST', params: { password: secret(required(anyText)) } },
    is: [`curl -X POST '${THINGS}'`, KEY, '--data-urlencode "password=$PASSWORD"'],
  },
  {
    it: 'a body of data',
    of: { method: 'POST', rawBody: { types: ['text/plain', 'text/csv'], sample: "it's" } },
    is: [`curl -X POST '${THINGS}'`, KEY, "-H 'Content-Type: text/plain'", "--data-binary 'it'\\''s'"],
  },
];

describe('The example of a call', () => {
  for (const { it: sentence, of, is } of CALLS) {
    it(`shows ${sentence}`, () => expect(curlExample(factsOf(declared(of)))).toBe(is.join(' \\\n  ')));
  }

  it('gives only values that the operation accepts', () => {
    const given = endpoints.flatMap(valuesGiven);
    expect(given.length).toBeGreaterThan(endpoints.length / 2);
    const context = { now: Temporal.Now.instant(), maxGuids: 1 };
    for (const { title, name, reader, value } of given) {
      const advice = `${title}: give the schema of ${name} \`examples\``;
      expect(() => reader?.read([value], name, context), advice).not.toThrow();
    }
  });

  it('takes the value that a schema names as an example', () => {
    expect(sampleOf({ ...addresses.schema, examples: ['10.0.0.0/8'] })).toBe('10.0.0.0/8');
  });

  it('calls the address at which the service listens by default', () => {
    expect(DEFAULT_URL).toBe(`http://${settings.host.initial}:${settings.port.initial}`);
  });
});

/** What the example of an operation gives for its parameters, in the path and outside it. */
function valuesGiven(endpoint: AnyEndpoint) {
  const [address = '', ...further] = curlExample(factsOf(endpoint)).split(' \\\n  ');
  const path = new URL(/'(.*)'/.exec(address)?.[1] ?? '').pathname.split('/');
  const names = endpoint.path.split('/');
  const inPath = path
    .map((value, index) => [names[index] ?? '', value] as const)
    .filter(([name]) => name.startsWith(':'));
  const data = further.map((line) => /^--data-urlencode '(\w+)=(.*)'$/.exec(line)).filter((found) => found !== null);
  return [
    ...inPath.map(([name, value]) => ({ name: name.slice(1), value: decodeURIComponent(value) })),
    ...data.map(([, name = '', value = '']) => ({ name, value })),
  ].map(({ name, value }) => ({ title: endpoint.title, name, value, reader: endpoint.params[name] }));
}
