// What Escape closes inside of a dialog.

import { expect, it } from 'vitest';
import { createEscapeLayers } from './escape-layers.ts';

it('Escape closes the newest open layer, one after the other, and then the dialog', () => {
  const layers = createEscapeLayers();
  const closed: string[] = [];
  const open = new Set(['list', 'tip']);
  const layerOf = (name: string) => () => {
    if (open.has(name)) closed.push(name);
    return open.delete(name);
  };
  layers.add(layerOf('list'));
  layers.add(layerOf('tip'));
  const remove = layers.add(() => true);
  remove();
  expect([layers.closeNewest(), layers.closeNewest(), layers.closeNewest()]).toEqual([true, true, false]);
  expect(closed).toEqual(['tip', 'list']);
});
