// Builds the console, and serves it while developing: `npm run console`, over the service at VIGIL_URL.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVICE = process.env.VIGIL_URL ?? 'http://127.0.0.1:8470';
const PROXIED = ['/api', '/healthz', '/readyz', '/docs', '/openapi.json'];

const SHARED = join(import.meta.dirname, 'src', 'components/');
/** The editor and the drawings on a canvas bring libraries of their own; pages that use them fetch these. */
const LARGE = /\/components\/(query-editor|chart|time-series)\b/;
const isShared = (module: string): boolean => module.startsWith(SHARED) && !LARGE.test(module);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Browsers with light-dark(): it is left as it stands.
  build: {
    target: ['chrome125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What every page uses comes with the first load, so that a page brings little more than itself.
      output: { codeSplitting: { groups: [{ name: 'shared', test: isShared }] } },
    },
  },
  css: { modules: { generateScopedName: '[name]-[local]-[hash:base64:5]' } },
  server: {
    // The service takes changes from its own origin alone.
    proxy: Object.fromEntries(
      PROXIED.map((path) => [path, { target: SERVICE, changeOrigin: true, headers: { origin: SERVICE } }]),
    ),
  },
});
