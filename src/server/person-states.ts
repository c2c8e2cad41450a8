import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergePatch } from '../domain/merge-patch.ts';
import type { Refusal } from '../protocol/command.ts';
import { PersonState } from '../protocol/http.ts';
import { LIMITS } from '../protocol/limits.ts';
import { writeWhole } from './write-file-atomically.ts';

/** What each person keeps for themselves, one file a person in the data folder. */
export interface PersonStates {
  read(personId: string): Promise<PersonState>;
  /** Applies a merge patch and resolves with the whole when it would survive a power loss. Patches of one person follow each other. */
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

/** By hash: a name of a person must not become a path. */
const fileOf = (folder: string, personId: string): string => join(folder, `${createHash('sha256').update(personId).digest('hex').slice(0, 32)}.json`);

async function readState(file: string): Promise<PersonState> {
  try {
    return PersonState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read as what a person kept; move it away to begin anew`, { cause: error });
  }
}

/** Deeper than any layout; what goes deeper still was made to exhaust whoever walks through it. */
const DEPTH = 32;

async function change(file: string, patch: PersonState): Promise<{ readonly state: PersonState } | Refusal> {
  if (isDeeper(patch, DEPTH)) return { refused: 'bad-request', message: `What is kept for a person may be nested ${DEPTH} deep` };
  const state = mergePatch(await readState(file), patch);
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > LIMITS.personStateBytes) {
    return { refused: 'too-large', message: `At most ${LIMITS.personStateBytes} bytes are kept for a person: remove something first` };
  }
  await writeWhole(file, text);
  return { state };
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return than === 0 || Object.values(value).some((inner) => isDeeper(inner, than - 1));
}
