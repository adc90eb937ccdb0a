// Renewals of the key that signs the audit trail: the command, its folders, and the proof of the trail afterwards.

import { runCli } from './cli.ts';
import type { Service } from './service.ts';

export const RENEW = ['key', 'renew-audit'];
export const SIGNING_KEY_FILE = 'audit-signing-key.pem';

export const foldersOf = ({ config }: Service): string[] => [
  `--data=${config.data}`,
  `--keys=${config.keys}`,
  ...(config.database === undefined ? [] : [`--database=${config.database}`]),
];

export const renew = (service: Service) => runCli([...RENEW, ...foldersOf(service)]);

export async function verify(service: Service, ...flags: string[]) {
  const { exitCode, stdout } = await runCli(['audit', 'verify', '--json', ...foldersOf(service), ...flags]);
  return { exitCode, ...JSON.parse(stdout) };
}

/** Each name is an entry of the trail. */
export async function createCompanies(service: Service, ...names: string[]): Promise<void> {
  for (const name of names) await service.call('POST', '/api/core/companies', { form: { name } });
}
