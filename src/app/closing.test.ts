import { describe, expect, it } from 'vitest';
import { StoreUnreachable } from '#store/unreachable.ts';
import { OpenParts } from './closing.ts';

function opened() {
  const closed: string[] = [];
  const unreachable: unknown[] = [];
  const parts = new OpenParts((error) => unreachable.push(error));
  const part = (name: string, error?: unknown) => ({
    async close() {
      closed.push(name);
      if (error !== undefined) throw error;
    },
  });
  return { parts, part, closed, unreachable };
}

describe('The parts of a service', () => {
  it('are closed in reverse, those that are added together too', async () => {
    const { parts, part, closed } = opened();
    parts.add(part('store'));
    parts.add(part('engine'), part('queries'));
    await parts.close();
    expect(closed).toEqual(['queries', 'engine', 'store']);
  });

  it('are closed one after another', async () => {
    const { parts, part, closed } = opened();
    parts.add(part('store'));
    parts.add({
      async close() {
        await new Promise((resolve) => setImmediate(resolve));
        closed.push('engine');
      },
    });
    await parts.close();
    expect(closed).toEqual(['engine', 'store']);
  });

  it('are all closed when some fail, and the first error is thrown', async () => {
    const { parts, part, closed } = opened();
    parts.add(part('store', new Error('store')), part('engine'), part('queries', new Error('queries')));
    await expect(parts.close()).rejects.toThrow('queries');
    expect(closed).toEqual(['queries', 'engine', 'store']);
  });

  it('are closed without a database that cannot be reached, which is reported', async () => {
    const { parts, part, unreachable } = opened();
    const lost = new StoreUnreachable('lost');
    const both = new SuppressedError(lost, lost);
    parts.add(part('store', lost), part('queries', both));
    await parts.close();
    expect(unreachable).toEqual([both, lost]);
  });

  it('throw what is more than an unreachable database', async () => {
    const { parts, part, unreachable } = opened();
    const mixed = new SuppressedError(new Error('defect'), new StoreUnreachable('lost'));
    parts.add(part('store', mixed));
    await expect(parts.close()).rejects.toBe(mixed);
    expect(unreachable).toEqual([]);
  });

  it('are closed once', async () => {
    const { parts, part, closed } = opened();
    parts.add(part('store'));
    await parts.close();
    await parts.close();
    expect(closed).toEqual(['store']);
  });
});
