import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil node list', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ flags: { node: 'n1', 'node-types': 'data' } });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], { environment }: CliContext = {}) =>
    runCli(['node', 'list', ...args], {
      environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment },
    });

  it('shows the nodes, and marks the one that answers', async () => {
    const { exitCode, stdout } = await vigil([]);
    expect(exitCode).toBe(0);
    const [titles, line] = stdout.split('\n');
    expect(titles).toMatch(/^NODE +STATE +TYPES +KEEPS LOGS +ADDRESS +VERSION +STARTED +LAST SEEN$/);
    expect(line).toMatch(new RegExp(`^n1 \\* +alive +data +yes +${new URL(service.url).host} `));
    expect((await vigil([], { environment: { LANG: 'ko_KR.UTF-8' } })).stdout).toMatch(/^노드 +상태 +유형 +로그 보관/);
  });

  it('shows those with a text in the name, and the records as JSON', async () => {
    expect((await vigil(['--keywords', 'n2'])).stdout).toBe('');
    expect(JSON.parse((await vigil(['--json'])).stdout)).toMatchObject([
      { name: 'n1', types: ['data'], is_self: true },
    ]);
  });
});
