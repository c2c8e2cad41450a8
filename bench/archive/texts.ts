import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { documentsOf } from '../../src/domain/search/document.ts';
import type { Event } from '../../src/protocol/event.ts';

/** Writes all searchable texts of these records, each preceded by its length, so that the floor indexes exactly the same. */
export function writeTexts(files: readonly string[], to: string): void {
  const file = openSync(to, 'w');
  for (const path of files) {
    const texts: Buffer[] = [];
    for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') texts.push(...textsOf(line));
    writeSync(file, Buffer.concat(texts));
  }
  closeSync(file);
}

function textsOf(line: string): readonly Buffer[] {
  const observations = claudeCode.archive?.read(line, {}).observations ?? [];
  // The index has the texts of events, so a line is turned into events first.
  const documents = observations.flatMap((observation) => documentsOf({ ...observation, seq: 1, at: '' } as unknown as Event));
  return documents.flatMap(({ text }) => withLength(Buffer.from(text)));
}

function withLength(text: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return [length, text];
}
