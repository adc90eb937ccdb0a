// The licences of what is in a release, for its readers: each text once, under the packages that it belongs to.

import type { Package } from './bundled-packages.ts';

const LINE = '-'.repeat(80);

export function licencesText(packages: readonly Package[]): string {
  const byText = Map.groupBy(packages, ({ texts }) => texts.join('\n\n'));
  const sections = byText.entries().map(([text, owners]) => {
    const names = owners.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return [LINE, ...names, LINE, '', text === '' ? 'The package brings no text of its licence.' : text, ''].join('\n');
  });
  return ['The code of these packages is in this program. Each has its own licence.', '', ...sections].join('\n');
}
