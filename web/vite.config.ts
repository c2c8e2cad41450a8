import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileEagerly, firstChunk } from './build/first-chunk.ts';
import { fontPreload } from './build/font-preload.ts';
import { filesOfPart, partFiles } from './build/part-files.ts';

const server = process.env.SIGNALBOX_URL ?? 'http://127.0.0.1:4750';

/** Paths that the server answers. Written as objects below: a plain URL would change the Host header, and the server refuses pages of another host. */
const PROXIED = ['/api', '/sign-in', '/sign-out', '/openapi.json', '^.*[?&]token='];

// Assets are relative to <base href>, which the server sets to its base path.
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
  // A sign-in's key belongs to the origin where the person signed in: here that is Vite's own.
  server: { proxy: { '/ws': { target: server, ws: true }, ...Object.fromEntries(PROXIED.map((path) => [path, { target: server }])) } },
});
