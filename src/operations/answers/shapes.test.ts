import { describe, expect, expectTypeOf, it } from 'vitest';
import { Answer, type AnswerOf, endpoint, type RequestOf } from '#operations/endpoint.ts';
import { grants } from '#operations/params/json-params.ts';
import { flag, guid, guids, oneOf, orElse, required } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import {
  arrayOf,
  choice,
  guidText,
  int32,
  listOf,
  map,
  nothing,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from './shapes.ts';

const pet = record('Pet', {
  guid: guidText('GUID of the pet.'),
  kind: choice(['cat', 'dog'])('What it is.', 'dog'),
  name: optional(string('What it is called.', 'Rex')),
  owner: orNull(string),
});
type Pet = TypeOf<typeof pet>;

const declared = {
  title: 'Get pet',
  method: 'PUT',
  path: '/api/core/pets/:guid',
  access: 'MEMBER',
  params: {
    guid: required(guid),
    since: time,
    kinds: orElse(oneOf(['cat', 'dog']), 'cat'),
    friends: required(guids),
    loud: orElse(flag, false),
    shared: grants,
  },
  answer: record({ pet: orNull(pet) }),
} as const;

const getPet = endpoint({
  ...declared,
  run: async () => ({ pet: { guid: '1', kind: 'cat' as const, owner: null } }),
});

describe('A shape', () => {
  it('is a JSON Schema', () => {
    expect(record({ at: stamp, tags: map, sizes: arrayOf(int32) }).schema).toMatchObject({
      type: 'object',
      properties: { at: { type: 'string' }, tags: { type: 'object' }, sizes: { type: 'array', items: int32.schema } },
      required: ['at', 'tags', 'sizes'],
    });
  });

  it('says in a sentence what it means in its place, and how it looks', () => {
    expect(string('Name of the table.', 'web').schema).toEqual({
      type: 'string',
      description: 'Name of the table.',
      examples: ['web'],
    });
    expect(string.schema).toEqual({ type: 'string' });
  });

  it('adds what the type itself has to say to its meaning', () => {
    expect(stamp('When it was made.').schema.description).toBe('When it was made. Format: `yyyy-MM-dd HH:mm:ssZ`.');
  });

  it('keeps the meaning of a value that may be null beside the alternatives', () => {
    expect(orNull(string('Who made it.')).schema).toEqual({
      description: 'Who made it.',
      anyOf: [{ type: 'string' }, { type: 'null' }],
    });
  });

  it('with a name keeps the name, and its own meaning apart from that of its place', () => {
    expect(pet.schema.title).toBe('Pet');
    expect(pet('The pet that was found.').schema).toEqual({
      anyOf: [pet.schema],
      description: 'The pet that was found.',
    });
  });

  it('leaves out of the required fields those that may be absent', () => {
    expect(pet.schema.required).toEqual(['guid', 'kind', 'owner']);
  });
});

describe('The types of an operation', () => {
  it('follow from the shapes of its answer', () => {
    expectTypeOf<Pet>().toEqualTypeOf<{
      readonly guid: string;
      readonly kind: 'cat' | 'dog';
      readonly owner: string | null;
      readonly name?: string;
    }>();
    expectTypeOf<AnswerOf<typeof getPet>>().toEqualTypeOf<{ readonly pet: Pet | null }>();
    expectTypeOf(listOf('pets', pet)).toExtend<{ schema: object }>();
    expect(getPet.method).toBe('PUT');
  });

  it('keep method and path', () => {
    expectTypeOf(getPet.method).toEqualTypeOf<'PUT'>();
    expectTypeOf(getPet.path).toEqualTypeOf<'/api/core/pets/:guid'>();
    expect(getPet.path).toBe('/api/core/pets/:guid');
  });

  it('say what a client sends: required parameters, times as text, grants as JSON', () => {
    const request: RequestOf<typeof getPet> = { guid: 'a', friends: ['b'], since: '2024-03-01 09:00:00+0900' };
    expectTypeOf(request.kinds).toEqualTypeOf<'cat' | 'dog' | undefined>();
    expectTypeOf(request.shared).toExtend<readonly (string | { guid: string; read_only?: boolean })[] | undefined>();
    // @ts-expect-error -- `friends` is required.
    const incomplete: RequestOf<typeof getPet> = { guid: 'a' };
    expect([request.guid, incomplete.guid]).toEqual(['a', 'a']);
  });

  it('refuse a run that returns something else', () => {
    endpoint({
      ...declared,
      // @ts-expect-error -- a pet has a kind.
      run: async () => ({ pet: { guid: '1', owner: null } }),
    });
    endpoint({
      ...declared,
      // @ts-expect-error -- there is no such kind.
      run: async () => new Answer({ pet: { guid: '1', kind: 'cow' as const, owner: null } }),
    });
    const { run } = endpoint({ ...declared, answer: nothing, run: async () => ({}) });
    expect(run).toBeTypeOf('function');
  });
});
