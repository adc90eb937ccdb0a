// Which shapes the threads that decode are told of, and when they stop to seek them.

import { describe, expect, it } from 'vitest';
import { type FileLeaves, shapeOf } from '#logs/leaf-shapes.ts';
import { ColumnRegistry, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import { ArrivingLeaves } from './arriving-leaves.ts';

const found = (field: string, text: string) => {
  const shape = shapeOf(field, text);
  if (!shape) throw new Error(`${text} has no shape`);
  return shape;
};

const opened = () => {
  const registry = new ColumnRegistry(NOTHING_LEARNT);
  const leaves = new ArrivingLeaves(registry);
  return { registry, leaves, told: (): FileLeaves => JSON.parse(leaves.text) };
};

describe('Shapes of arriving records', () => {
  it('are told once the catalog has them', () => {
    const { registry, leaves, told } = opened();
    leaves.learn({ fields: ['k'], shapes: [found('k', '{"a":1}')] });
    expect(leaves.areNew).toBe(true);
    expect(told().fields).toEqual([]);
    leaves.stored(registry.leaves);
    expect(leaves.areNew).toBe(false);
    expect(told().fields).toEqual([{ field: 'k', number: 100_001, shapes: [['{"a":', ['k', 'a'], '}']] }]);
    expect(told().columns).toEqual([{ path: ['k', 'a'], type: 'DOUBLE', number: 100_000 }]);
  });

  it('are sought no more in a field that had none in eight files, and on in the others', () => {
    const { leaves, told } = opened();
    for (let file = 0; file < 7; file += 1) leaves.learn({ fields: ['free'], shapes: [] });
    expect(told().settled).toEqual([]);
    leaves.learn({ fields: ['free', 'k'], shapes: [] });
    expect(told()).toMatchObject({ settled: ['free'], isLearning: true });
    leaves.resume();
    expect(told().settled).toEqual([]);
  });

  it('that are found again before the catalog has them do not count as none', () => {
    const { leaves, told } = opened();
    for (let file = 0; file < 20; file += 1) leaves.learn({ fields: ['k'], shapes: [found('k', '{"a":1}')] });
    expect(told().settled).toEqual([]);
  });

  it('are sought nowhere where many fields had none', () => {
    const { leaves, told } = opened();
    const fields = Array.from({ length: 64 }, (_, at) => `f${at}`);
    for (let file = 0; file < 8; file += 1) leaves.learn({ fields, shapes: [] });
    expect(told().isLearning).toBe(false);
  });
});

describe('A field', () => {
  it('has at most 32 shapes, and the others go on', () => {
    const { registry } = opened();
    const texts = Array.from({ length: 40 }, (_, at) => `{"k${at}":1}`);
    expect(registry.learnShapes(texts.map((text) => found('k', text)))).toHaveLength(32);
    expect(registry.learnShapes([found('other', '[1]')])).toEqual([{ field: 'other', number: 1 }]);
  });
});
