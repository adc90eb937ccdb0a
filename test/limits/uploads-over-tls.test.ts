// The suites of uploads over TLS, and those of bodies that arrive slowly, late or not at all. `npm test` runs them without it.

process.env.VIGIL_TEST_TRANSPORT = 'https';

const UPLOADS = [
  'cancel',
  'complete',
  'concurrency',
  'dropped',
  'expiry',
  'opening',
  'receiving',
  'remove',
  'tus-client',
];

for (const name of UPLOADS) await import(`#resources/upload-streams/${name}.test.ts`);
for (const name of ['bodies', 'cancel-upload', 'unread-bodies']) await import(`#test/contract/${name}.test.ts`);
