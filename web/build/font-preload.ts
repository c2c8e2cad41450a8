import type { Plugin } from 'vite';

/** The letters that every page begins with. Those of other alphabets come when they are written. */
const EARLY = /\/ibm-plex-(sans-latin-wght|mono-latin-400)-normal-[^/]+\.woff2$/;

/** Which of the files are fetched together with the script, not when a first word is drawn: it would be drawn twice then, and everything after it would move. */
export const earlyLetters = (files: readonly string[]): readonly string[] => files.filter((file) => EARLY.test(file));

export const withEarlyLetters: Plugin = {
  name: 'with-early-letters',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      earlyLetters(Object.keys(bundle)).map((file) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${file}` },
        injectTo: 'head',
      })),
  },
};
