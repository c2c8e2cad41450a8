import type { Plugin } from 'vite';

/** The fonts that every page needs. Other alphabets load on demand. */
const PRELOADED = /\/ibm-plex-(sans-latin-wght|mono-latin-400)-normal-[^/]+\.woff2$/;

/** Fonts to load together with the script: if they came after the first text, it would render twice and shift the page. */
export const preloadedFonts = (files: readonly string[]): readonly string[] => files.filter((file) => PRELOADED.test(file));

export const fontPreload: Plugin = {
  name: 'font-preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      preloadedFonts(Object.keys(bundle)).map((file) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${file}` },
        injectTo: 'head',
      })),
  },
};
