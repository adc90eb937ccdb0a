import { describe, expect, it } from 'vitest';
import { readRemoteBody, remoteBody } from './remote-request.ts';

const REQUEST = {
  text: 'table web',
  constants: new Map<string, string | bigint>([
    ['a', 'é'],
    ['n', 9007199254740993n],
  ]),
  now: Temporal.Instant.from('2026-11-17T09:00:00.123456789Z'),
  zone: 'Asia/Seoul',
  range: { from: Temporal.Instant.fromEpochMilliseconds(5) },
  source: 'rest-api',
  isReadOnly: true,
  calledBy: ['outermost', 'between'],
} as const;

describe('A query on its way to another node', () => {
  it('keeps all that it inherits', () => {
    expect(readRemoteBody(remoteBody(REQUEST))).toEqual(REQUEST);
    expect(readRemoteBody(remoteBody({ ...REQUEST, calledBy: [] })).calledBy).toEqual([]);
  });

  it.each(['{}', '', '[', '"x"'])('is none that a node has written: %s', (body) => {
    expect(() => readRemoteBody(body)).toThrow('malformed request body');
  });

  it('names its callers, and no more than there can be', () => {
    const unnamed = remoteBody(REQUEST).replace('"called_by"', '"other"');
    expect(() => readRemoteBody(unnamed)).toThrow('malformed request body');
    const calledBy = Array.from({ length: 33 }, (_, index) => String(index));
    expect(() => readRemoteBody(remoteBody({ ...REQUEST, calledBy }))).toThrow('malformed request body');
  });
});
