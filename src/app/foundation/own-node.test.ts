import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostNodeName, keepNodeName, keptNodeName } from '#files/node-name.ts';
import { ownNode } from './own-node.ts';

describe('The name of a node', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'vigil-node-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const nameOf = (config: object, { isOlderFolder = false, keepsName = false } = {}) =>
    ownNode({ data, ...config }, { isOlderFolder, keepsName, address: undefined }).name;

  it('is the one that is set, else the kept one, else that of the machine, and vigil in an older folder', () => {
    expect(nameOf({})).toBe(hostNodeName());
    expect(nameOf({}, { isOlderFolder: true })).toBe('vigil');
    keepNodeName(data, 'kept');
    expect(nameOf({})).toBe('kept');
    expect(nameOf({ node: 'set' })).toBe('set');
  });

  it('stays that of the folder where a standby takes it over, also in an older folder', () => {
    expect(nameOf({ node: 'h2', standby: true }, { isOlderFolder: true })).toBe('vigil');
    keepNodeName(data, 'kept');
    expect(nameOf({ node: 'h2', standby: true })).toBe('kept');
  });

  it('is changed neither by a command on a stopped service nor before it is taken', () => {
    keepNodeName(data, 'kept');
    expect(nameOf({ node: 'other' }, { keepsName: true })).toBe('kept');
    expect(nameOf({ node: 'other' })).toBe('other');
    expect(keptNodeName(data)).toBe('kept');
  });

  it('is the end of a long name of a machine: there such names differ', () => {
    const long = `${'a'.repeat(60)}-7`;
    expect(hostNodeName(long)).toBe(long.slice(-50));
  });
});
