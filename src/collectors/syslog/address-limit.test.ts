import { expect, it } from 'vitest';
import { AddressLimit } from './address-limit.ts';

function limitOf20(items: Readonly<Record<string, string>>): AddressLimit<string> {
  const limit = new AddressLimit<string>(20);
  for (const [item, address] of Object.entries(items)) limit.add(item, address);
  return limit;
}
const many = (count: number, address: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${address} ${at}`, address]));

it('Below the maximum nothing is displaced', () => {
  expect(limitOf20(many(19, 'a')).displacedBy('a')).toBeUndefined();
});

it('An address with a tenth of all displaces its own first item, another one the first of all', () => {
  const limit = limitOf20({ ...many(1, 'other'), ...many(19, 'a') });
  expect(limit.displacedBy('a')).toBe('a 0');
  expect(limit.displacedBy('other')).toBe('other 0');
  expect(limit.displacedBy('new')).toBe('other 0');
});

it('An item that is added again becomes the last', () => {
  const limit = limitOf20(many(20, 'a'));
  limit.add('a 0', 'a');
  expect(limit.displacedBy('a')).toBe('a 1');
  expect(limit.displacedBy('new')).toBe('a 1');
  expect(limit.size).toBe(20);
});

it('An address without items is forgotten', () => {
  const limit = limitOf20({ ...many(1, 'other'), ...many(19, 'a') });
  limit.delete('other 0');
  limit.delete('other 0');
  expect([...limit]).toHaveLength(19);
  expect(limit.displacedBy('other')).toBeUndefined();
});
