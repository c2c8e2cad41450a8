import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergePatch } from '../../domain/merge-patch.ts';
import type { Refusal } from '../../protocol/command.ts';
import { PersonState } from '../../protocol/http.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** What each person stores for themselves, one file per person in the data folder. */
export interface PersonStates {
  read(personId: string): Promise<PersonState>;
  /** Applies a merge patch and resolves with the whole state when it would survive a power loss. Patches of one person are applied in order. */
  change(personId: string, patch: PersonState): Promise<{ readonly state: PersonState } | Refusal>;
}

export function openPersonStates(dataDir: string): PersonStates {
  const folder = join(dataDir, 'people');
  const last = new Map<string, Promise<unknown>>();
  return {
    read: (personId) => readState(fileOf(folder, personId)),
    change: (personId, patch) => {
      const turn = (last.get(personId) ?? Promise.resolve()).then(() => change(fileOf(folder, personId), patch));
      last.set(
        personId,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

/** Hashed, so that a person's name can't become a path. */
const fileOf = (folder: string, personId: string): string => join(folder, `${createHash('sha256').update(personId).digest('hex').slice(0, 32)}.json`);

async function readState(file: string): Promise<PersonState> {
  try {
    return PersonState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${file} is damaged. Move it away to start over with empty settings.`, { cause: error });
  }
}

/** Deeper than any real state; anything deeper is an attempt to exhaust the code that walks it. */
const DEPTH = 32;

async function change(file: string, patch: PersonState): Promise<{ readonly state: PersonState } | Refusal> {
  if (isDeeper(patch, DEPTH)) return { refused: 'bad-request', message: `The state can be nested at most ${DEPTH} levels deep.` };
  const state = mergePatch(await readState(file), patch);
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > LIMITS.personStateBytes) {
    return { refused: 'too-large', message: `The state can hold at most ${LIMITS.personStateBytes} bytes per person. Remove something first.` };
  }
  await writeFileAtomically(file, text);
  return { state };
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return than === 0 || Object.values(value).some((inner) => isDeeper(inner, than - 1));
}
