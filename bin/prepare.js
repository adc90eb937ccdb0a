#!/usr/bin/env node
// Runs after an installation of the sources and makes the bundle. It never fails: the sources run without one. Plain
// JavaScript, because any Node may install.

const isInstalled = await import('rolldown').then(
  () => true,
  () => false,
);
if (isInstalled) {
  try {
    const { build } = await import('./build.ts');
    await build();
    console.log('vigil: dist/service is built');
  } catch (error) {
    console.log(`vigil: dist/service could not be built, the sources run instead: ${error}`);
  }
} else {
  console.log('vigil: dist/service is not built without the development dependencies; the sources run instead');
}
