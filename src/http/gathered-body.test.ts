import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { gathered } from './gathered-body.ts';

const streamOf = async (body: AsyncIterable<string>): Promise<Readable> => {
  const found = await gathered(body);
  if (!(found instanceof Readable)) throw new Error('it came in one piece');
  return found;
};

it('A body that is whole soon is one piece', async () => {
  const body = async function* () {
    yield 'a';
    yield '한';
  };
  expect(String(await gathered(body()))).toBe('a한');
  expect(String(await gathered((async function* () {})()))).toBe('');
});

it('A body that takes longer is a stream of what has come, and of the rest as it comes', async () => {
  const rest = Promise.withResolvers<void>();
  const body = async function* () {
    yield 'a';
    yield 'b';
    await rest.promise;
    yield 'c';
    yield 'd';
  };
  const reading = (await streamOf(body()))[Symbol.asyncIterator]();
  expect(await reading.next()).toEqual({ done: false, value: 'ab' });
  rest.resolve();
  expect([await reading.next(), await reading.next(), await reading.next()]).toEqual([
    { done: false, value: 'c' },
    { done: false, value: 'd' },
    { done: true, value: undefined },
  ]);
});

it('A body that is large is a stream, however soon it is whole, and is not held as a whole', async () => {
  let made = 0;
  const body = async function* () {
    for (; made < 100; made += 1) yield 'x'.repeat(10_000);
  };
  const stream = await streamOf(body());
  expect(made).toBeLessThan(10);
  expect((await stream.toArray()).join('')).toBe('x'.repeat(1_000_000));
});

it('An error behind a piece breaks the stream off after it; one before all is the first thing that comes', async () => {
  const body = async function* (first: readonly string[]) {
    yield* first;
    throw new Error('gone');
  };
  const pieces: string[] = [];
  const read = async (stream: Readable) => {
    for await (const piece of stream) pieces.push(piece);
  };
  await expect(read(await streamOf(body(['a', 'b'])))).rejects.toThrow('gone');
  expect(pieces).toEqual(['ab']);
  await expect(read(await streamOf(body([])))).rejects.toThrow('gone');
});

it('A stream that nobody reads ends what makes it', async () => {
  let hasEnded = false;
  const body = async function* () {
    try {
      yield 'a';
      await pause(20);
      yield 'b';
    } finally {
      hasEnded = true;
    }
  };
  (await streamOf(body())).destroy();
  await expect.poll(() => hasEnded).toBe(true);
});
