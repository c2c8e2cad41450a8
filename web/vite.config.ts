import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { withEarlyLetters } from './early-letters.ts';
import { compiledAtOnce, firstChunk } from './first-chunk.ts';
import { filesOfPart, partFiles } from './part-files.ts';

const server = process.env.SIGNALBOX_URL ?? 'http://127.0.0.1:4750';

// Assets are named relative to <base href>, which the server sets to the path it is served below.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), partFiles, compiledAtOnce, withEarlyLetters],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false, resolveDependencies: filesOfPart },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstChunk }] } } },
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
});
