import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { CliProblem } from '../shared/command.ts';
import type { HookAgent } from '../shared/deps.ts';
import { insertEntry, JsonProblem, memberOf, readJson, removeEntries } from './json-text.ts';

/** What was inserted into a settings file, so that exactly that can be cut out again. */
const Record = z.object({ file: z.string(), isCreated: z.boolean(), pieces: z.array(z.string()) });
type Record = z.infer<typeof Record>;

export interface Wanted {
  readonly agent: HookAgent;
  readonly file: string;
  readonly recordFile: string;
  /** The command of a registration. */
  readonly command: (does: string) => string;
}

/** Every command of ours contains this name. */
const OURS = 'signalbox-hook';
const EMPTY = '{}\n';

/** Adds our entries and nothing else. False when they are there already. */
export function install(wanted: Wanted): boolean {
  const { agent, file, recordFile } = wanted;
  const before = textOf(file);
  return explained(file, () => {
    const start = before === undefined ? EMPTY : before;
    if (isInstalled(start, wanted)) return false;
    let text = without(start, wanted);
    const pieces: string[] = [];
    for (const { path, does, timeoutSeconds } of agent.hooks.registrations) {
      const inserted = insertEntry(text, path, agent.hooks.entry(wanted.command(does), timeoutSeconds));
      text = inserted.text;
      pieces.push(inserted.piece);
    }
    const isCreated = before === undefined || recordIn(recordFile)?.isCreated === true;
    // The record first: entries that are recorded but not there do no harm.
    writeAtomically(recordFile, `${JSON.stringify({ file, isCreated, pieces } satisfies Record)}\n`, 0o600);
    write(file, before, text);
    return true;
  });
}

/** Takes our entries out. False when there are none. */
export function remove(wanted: Wanted): boolean {
  const { file, recordFile } = wanted;
  const before = textOf(file);
  if (before === undefined || !before.includes(OURS)) return false;
  return explained(file, () => {
    const text = without(before, wanted);
    if (text === EMPTY && recordIn(recordFile)?.isCreated === true) rmSync(file);
    else write(file, before, text);
    rmSync(recordFile, { force: true });
    return true;
  });
}

/** Whether the file has entries of ours, from whichever installation. */
export const hasEntries = (file: string): boolean => textOf(file)?.includes(OURS) === true;

export const settingsIn = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

function isInstalled(text: string, { agent, command }: Wanted): boolean {
  const root = readJson(text);
  return agent.hooks.registrations.every(({ path: [outer, inner], does, timeoutSeconds }) => {
    const list = memberOf(memberOf(root, outer), inner);
    const entry = JSON.stringify(agent.hooks.entry(command(does), timeoutSeconds));
    const ours = list?.kind === 'array' ? list.items.map(({ start, end }) => text.slice(start, end)).filter((item) => item.includes(OURS)) : [];
    return ours.length === 1 && JSON.stringify(JSON.parse(ours[0] ?? '')) === entry;
  });
}

/** As it was before, byte by byte; if the agent or a person has rewritten the file since, everything but our entries. */
function without(text: string, { agent, file, recordFile }: Wanted): string {
  if (!text.includes(OURS)) return text;
  const record = recordIn(recordFile);
  let left: string | undefined = record?.file === file ? text : undefined;
  for (const piece of record?.pieces.toReversed() ?? []) left = left === undefined ? undefined : cutOnce(left, piece);
  if (left !== undefined && !left.includes(OURS)) return left;
  const groups = new Set(agent.hooks.registrations.map(({ path }) => path[0]));
  return [...groups].reduce((rest, outer) => removeEntries(rest, outer, (entry) => entry.includes(OURS)), text);
}

function cutOnce(text: string, piece: string): string | undefined {
  const at = text.indexOf(piece);
  return at === -1 || text.includes(piece, at + 1) ? undefined : text.slice(0, at) + text.slice(at + piece.length);
}

function recordIn(file: string): Record | undefined {
  const parsed = z.safeParse(Record, settingsIn(file));
  return parsed.success ? parsed.data : undefined;
}

/** A link is refused: what it points to may be managed by another tool, and renaming over it would break the link. */
function textOf(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink())
    throw new CliProblem(`${file} is a link. Nothing was changed. Add the entries to the file it points to yourself, or replace the link.`);
  if (!stat.isFile()) throw new CliProblem(`${file} is not a file. Nothing was changed.`);
  return readFileSync(file, 'utf8');
}

function write(file: string, before: string | undefined, text: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && (stat.mode & 0o200) === 0) throw new CliProblem(`${file} is read-only. Nothing was changed.`);
  if (textOf(file) !== before) throw new CliProblem(`Another program just changed ${file}. Nothing was changed; try again.`);
  writeAtomically(file, text, stat === undefined ? 0o600 : stat.mode & 0o777);
}

function writeAtomically(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}.new`;
  const fd = openSync(next, 'w', mode);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(next, file);
}

function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonProblem) throw new CliProblem(`${file}, line ${error.line}: ${error.message}. Nothing was changed.`, { cause: error });
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM'))
      throw new CliProblem(`${file} can't be written: ${error.message}. Nothing was changed.`, { cause: error });
    throw error;
  }
}
