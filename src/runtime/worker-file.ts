// Where the module of a worker thread is, for the sources and for the bundle.

/** `importer` is the `import.meta.url` of the calling module. The bundle keeps all modules in one folder, under their names. */
export const workerFile = (name: `./${string}.ts`, importer: string): URL =>
  new URL(isBundled(importer) ? name.replace(/\.ts$/, '.js') : name, importer);

/** Whether a module runs out of the bundle of `npm run build`. */
export const isBundled = (importer: string): boolean => importer.endsWith('.js');
