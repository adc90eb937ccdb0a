// What a release is made of, as CycloneDX 1.6: every package whose code is inside, and those that are installed beside it.

import { createHash } from 'node:crypto';
import type { Package } from './bundled-packages.ts';

interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** `inside` is in the bundles, `beside` is installed with them. */
export function billOfMaterials(product: Product, inside: readonly Package[], beside: readonly Package[]): string {
  const components = [
    ...inside.map((one) => component(one, 'bundled')),
    ...beside.map((one) => component(one, 'installed')),
  ];
  const root = purlOf(product);
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([product, components]))}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: product.name,
        version: product.version,
        licenses: licencesOf(product.license),
        purl: root,
      },
    },
    components,
    dependencies: [{ ref: root, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component({ name, version, license, integrity }: Package, how: 'bundled' | 'installed') {
  const purl = purlOf({ name, version });
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: licencesOf(license),
    purl,
    ...(integrity?.startsWith('sha512-')
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }] }
      : {}),
    properties: [{ name: 'vigil:part', value: how }],
  };
}

/** An expression needs no list of identifiers that grows with each version of SPDX. */
const licencesOf = (license: string) => (license === 'NONE' ? [] : [{ expression: license }]);

const purlOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** The same for the same contents: two builds of one commit are equal. */
function uuidOf(text: string): string {
  const digest = createHash('sha256').update(text).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
