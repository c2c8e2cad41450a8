import { writeSync } from 'node:fs';
import { writerAt } from './samples.ts';
import { feedStory } from './story.ts';

// Feeds a library from where it stands, and says so after each step. To be killed.
const writer = writerAt(process.argv[2] ?? '');
feedStory(writer, () => writeSync(1, 'step\n'));
while (writer.tidy()) writeSync(1, 'step\n');
writer.close();
