import { expect, test } from 'vitest';
import { preloadedFonts } from './font-preload.ts';

test('only the two fonts that every page needs are preloaded', () => {
  const files = [
    'assets/first-CU2g2ao2.js',
    'assets/ibm-plex-sans-latin-wght-normal-IvpUvPa2.woff2',
    'assets/ibm-plex-sans-latin-ext-wght-normal-CIII54If.woff2',
    'assets/ibm-plex-mono-latin-400-normal-CvHOgSBP.woff',
    'assets/ibm-plex-mono-latin-400-normal-DMJ8VG8y.woff2',
    'assets/ibm-plex-mono-latin-600-normal-BgSNZQsw.woff2',
  ];
  expect(preloadedFonts(files)).toEqual(['assets/ibm-plex-sans-latin-wght-normal-IvpUvPa2.woff2', 'assets/ibm-plex-mono-latin-400-normal-DMJ8VG8y.woff2']);
});
