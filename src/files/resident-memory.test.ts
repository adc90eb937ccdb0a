import { expect, it } from 'vitest';
import { residentBytes } from './resident-memory.ts';

it('The memory of a process that may open no more files is what it was', () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(`${code}, uv_resident_set_memory`), { code });
  };
  const bytes = residentBytes();
  expect(bytes).toBeGreaterThan(2 ** 20);
  expect(residentBytes(failing('EMFILE'))).toBe(bytes);
  expect(residentBytes(failing('ENFILE'))).toBe(bytes);
  expect(() => residentBytes(failing('EIO'))).toThrow('EIO');
});
