#!/usr/bin/env node
// Runs after an installation of the sources and makes the bundles. It never fails: the sources run without one, and the service
// says how to build the console. Plain JavaScript, because any Node may install.

const isInstalled = await import('rolldown').then(
  () => true,
  () => false,
);
if (isInstalled) {
  await made('dist/service', 'the sources run instead', async () => (await import('./build.ts')).build());
  await made('dist/console', 'the service answers without it', async () =>
    (await import('./build-console.ts')).buildConsole(),
  );
} else {
  console.log(
    'vigil: nothing is built: a checkout needs its development dependencies, `npm ci` installs them (docs/install.md: releases)',
  );
}

async function made(folder, otherwise, build) {
  try {
    await build();
    console.log(`vigil: ${folder} is built`);
  } catch (error) {
    console.log(`vigil: ${folder} could not be built, ${otherwise}: ${error}`);
  }
}
