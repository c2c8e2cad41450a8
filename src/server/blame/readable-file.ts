import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { isInside } from '../../folders/system-folders.ts';
import type { BlameQuery } from '../../protocol/api/blame.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { Services } from '../http/route.ts';
import { readPath } from '../inspector/read-folder.ts';
import { foldersOf } from '../inspector/session-folders.ts';
import { anySession } from '../shared/transcripts.ts';

/** A text file in the folder of a session that the caller can see, checked as the inspector checks files. */
export async function readableFile(
  caller: Services,
  { path, session: id }: Pick<BlameQuery, 'path' | 'session'>,
): Promise<{ readonly path: string; readonly text: string } | Refusal> {
  if (id !== undefined) {
    const session = await anySession(caller, id);
    if (session === undefined) return { refused: 'not-found', message: `There is no session ${id}.` };
    const folders = await foldersOf(caller, session, caller.inspector.allowedRoots);
    return isRefusal(folders) ? folders : textIn(folders, path);
  }
  if (!isAbsolute(path) || path.includes('\0')) return { refused: 'bad-request', message: `"${path}" is not an absolute path. Start it with "/".` };
  const real = (await realpath(path).catch(() => undefined)) ?? path;
  const sessions = caller.engine.sessions().filter(({ cwd }) => isInside(real, cwd) || isInside(path, cwd));
  const tried = new Set<string>();
  for (const session of sessions) {
    if (tried.has(session.cwd)) continue;
    tried.add(session.cwd);
    const folders = await foldersOf(caller, session, caller.inspector.allowedRoots);
    if (!isRefusal(folders)) return textIn(folders, path);
  }
  for (const { path: folder } of await caller.sessionIndex.projects(undefined, caller.hidden())) {
    if (tried.has(folder) || !isInside(real, folder)) continue;
    const found = await pastFolder(caller, folder);
    if (found !== undefined) return textIn(found, path);
  }
  return { refused: 'not-found', message: `No session you can see works in a folder with ${path}.` };
}

/** A folder in which only sessions of other programs worked. */
async function pastFolder({ inspector }: Services, folder: string): Promise<Parameters<typeof readPath>[0] | undefined> {
  const { allowedRoots } = inspector;
  const real = await allowedFolder(folder, allowedRoots);
  return typeof real === 'string' ? { roots: [real], allowedRoots } : undefined;
}

async function textIn(folders: Parameters<typeof readPath>[0], path: string): Promise<{ readonly path: string; readonly text: string } | Refusal> {
  const answer = await readPath(folders, path);
  if (isRefusal(answer)) return answer;
  if (answer.kind !== 'file' || answer.text === undefined) return { refused: 'not-supported', message: `${path} is not a text file.` };
  if (answer.cut === true) return { refused: 'too-large', message: `${path} is too large to find out who wrote its lines.` };
  return { path: answer.path, text: answer.text };
}
