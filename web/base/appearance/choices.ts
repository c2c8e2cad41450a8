import type { Appearance } from './appearance.ts';

interface Option<K extends keyof Appearance> {
  readonly title: string;
  readonly choices: readonly (readonly [Appearance[K], string])[];
  readonly note?: string;
}

/** The appearance options, for settings and palette. */
export const APPEARANCE_OPTIONS: { readonly [K in keyof Appearance]: Option<K> } = {
  theme: {
    title: 'Theme',
    choices: [
      ['system', 'System'],
      ['dark', 'Dark'],
      ['light', 'Light'],
    ],
  },
  density: {
    title: 'Density',
    choices: [
      ['compact', 'Compact'],
      ['normal', 'Normal'],
      ['roomy', 'Comfortable'],
    ],
  },
  text: {
    title: 'Text size',
    choices: [
      ['90', '90 %'],
      ['100', '100 %'],
      ['115', '115 %'],
      ['130', '130 %'],
      ['150', '150 %'],
      ['200', '200 %'],
    ],
  },
  motion: {
    title: 'Motion',
    choices: [
      ['system', 'System'],
      ['still', 'None'],
    ],
  },
  clock: {
    title: 'Times',
    choices: [
      ['24', '14:05'],
      ['12', '2:05 PM'],
    ],
  },
};
