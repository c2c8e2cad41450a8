import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileEagerly, firstChunk } from './build/first-chunk.ts';
import { fontPreload } from './build/font-preload.ts';
import { filesOfPart, partFiles } from './build/part-files.ts';

const server = process.env.SIGNALBOX_URL ?? 'http://127.0.0.1:4750';

/** What the server answers itself. Written as objects below: a bare address would change the Host, and the server refuses pages of another one. */
const PROXIED = ['/api', '/sign-in', '/sign-out', '/openapi.json', '^.*[?&]token='];

// Assets are named relative to <base href>, which the server sets to the path it is served below.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), partFiles, compileEagerly, fontPreload],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false, resolveDependencies: filesOfPart },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstChunk }] } } },
  },
  // The key of a sign-in belongs to the origin at which people signed in: here that is vite's own.
  server: { proxy: { '/ws': { target: server, ws: true }, ...Object.fromEntries(PROXIED.map((path) => [path, { target: server }])) } },
});
