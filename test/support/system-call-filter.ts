// The system call filter of a unit of systemd as a program for the kernel, so that a service can be held by it without systemd.

import { execFileSync } from 'node:child_process';

/** `SystemCallFilter=` of a unit: what is allowed, and what of it is not. */
export interface FilterLists {
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

export function filterLists(unit: string): FilterLists {
  const lists = [...unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)];
  const of = (sign: string) =>
    lists.filter(([, given]) => given === sign).flatMap(([, , names = '']) => names.split(' '));
  return { allowed: of(''), refused: of('~') };
}

const ARCHITECTURES = {
  x64: { name: 'x86_64', audited: 0xc000003e },
  arm64: { name: 'aarch64', audited: 0xc00000b7 },
} as const;

const [LOAD_WORD, JUMP_IF_EQUAL, RETURN] = [0x20, 0x15, 0x06] as const;
const [AT_NUMBER, AT_ARCHITECTURE] = [0, 4] as const;
const [ALLOW, KILL_PROCESS, FAIL_WITH_EPERM] = [0x7fff0000, 0x80000000, 0x00050001] as const;

/** As SECCOMP_SET_MODE_FILTER takes it. Calls that are not allowed fail with EPERM. */
export function filterProgram({ allowed, refused }: FilterLists): Buffer {
  const { name, audited } = ARCHITECTURES[process.arch as keyof typeof ARCHITECTURES];
  const isRefused = new Set(refused.flatMap(callsOf));
  // systemd adds @default to every list of what is allowed.
  const calls = new Set([...allowed, '@default'].flatMap(callsOf)).difference(isRefused);
  const numbers = [...calls].map((call) => numberOf(call, name)).filter((number) => number >= 0);
  return Buffer.concat([
    instruction(LOAD_WORD, AT_ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, audited, 1, 0),
    instruction(RETURN, KILL_PROCESS),
    instruction(LOAD_WORD, AT_NUMBER),
    ...numbers.flatMap((number) => [instruction(JUMP_IF_EQUAL, number, 0, 1), instruction(RETURN, ALLOW)]),
    instruction(RETURN, FAIL_WITH_EPERM),
  ]);
}

function instruction(code: number, operand: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
}

/** Sets begin with `@` and may name other sets. */
function callsOf(name: string): string[] {
  if (!name.startsWith('@')) return [name];
  const [, ...lines] = execFileSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap(callsOf);
}

/** Negative where the architecture has no such call. */
const numberOf = (call: string, architecture: string): number =>
  Number(execFileSync('scmp_sys_resolver', ['-a', architecture, call], { encoding: 'utf8' }));
