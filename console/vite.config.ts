// Builds the console, and serves it while developing: `npm run console`, over the service at VIGIL_URL.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const SERVICE = process.env.VIGIL_URL ?? 'http://127.0.0.1:8470';
const PROXIED = ['/api', '/healthz', '/readyz', '/docs', '/openapi.json'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Browsers with light-dark(): it is left as it stands.
  build: {
    target: ['chrome125', 'firefox128', 'safari18'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  css: { modules: { generateScopedName: '[name]-[local]-[hash:base64:5]' } },
  server: {
    // The service takes changes from its own origin alone.
    proxy: Object.fromEntries(
      PROXIED.map((path) => [path, { target: SERVICE, changeOrigin: true, headers: { origin: SERVICE } }]),
    ),
  },
});
