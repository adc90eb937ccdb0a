// Rows read from a stream of lines, up to a bound.

import { describe, expect, it } from 'vitest';
import { readRows } from './row-stream.ts';

const LINES = ['{"a":1}', `{"a":"${'x'.repeat(1000)}"}`, '{"a":3}'].join('\n');

/** Byte by byte: characters and lines are split at every place. */
function inBytes(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  const start = (controller: ReadableStreamDefaultController) => {
    for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
    controller.close();
  };
  return new Response(new ReadableStream({ start }));
}

describe('Rows', () => {
  it('are all read where they stay below the bound', async () => {
    const answer = new Response(`${LINES}\n`);
    expect(await readRows(answer, 10_000)).toMatchObject({ rows: [{ a: 1 }, {}, { a: 3 }], isComplete: true });
  });

  it('are read whole however the network cuts them', async () => {
    const { rows, bytes } = await readRows(inBytes('{"a":"한😀"}\n\n{"n":9007199254740993}\n'), 10_000);
    expect(rows).toEqual([{ a: '한😀' }, { n: 9007199254740993n }]);
    expect(bytes).toBeGreaterThan(20);
  });

  it('are read up to the bound, and no further', async () => {
    expect(await readRows(inBytes(`${LINES}\n`), 5)).toMatchObject({ rows: [{ a: 1 }], isComplete: false });
  });

  it('have a first one, however long it is', async () => {
    const { rows } = await readRows(inBytes(`{"a":"${'x'.repeat(100)}"}\n{"a":2}\n`), 5);
    expect(rows).toEqual([{ a: 'x'.repeat(100) }]);
  });

  it('are whole lines: one without an end is left out', async () => {
    expect(await readRows(new Response('{"a":1}\n{"a":2'), 10_000)).toMatchObject({ rows: [{ a: 1 }] });
  });

  it('are none in an answer without a body', async () => {
    expect(await readRows(new Response(null), 10)).toEqual({ rows: [], bytes: 0, isComplete: true });
  });
});
