import type { Appearance } from './appearance.ts';

interface Question<K extends keyof Appearance> {
  readonly title: string;
  readonly choices: readonly (readonly [Appearance[K], string])[];
  readonly note?: string;
}

/** What a person can choose, in words; settings and palette ask the same. */
export const LOOKS: { readonly [K in keyof Appearance]: Question<K> } = {
  theme: {
    title: 'Theme',
    choices: [
      ['system', 'As the system'],
      ['dark', 'Dark'],
      ['light', 'Light'],
    ],
  },
  density: {
    title: 'Density',
    choices: [
      ['compact', 'Compact'],
      ['normal', 'Normal'],
      ['roomy', 'Roomy'],
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
      ['system', 'As the system'],
      ['still', 'None'],
    ],
    note: 'What moves answers to a hand and takes an eighth of a second. Arriving text never moves.',
  },
  clock: {
    title: 'Times',
    choices: [
      ['24', '14:05'],
      ['12', '2:05 PM'],
    ],
  },
};
