import { join } from 'node:path';
import * as z from 'zod/mini';
import { allowedFolder, pathProblem } from '../../../folders/allowed-roots.ts';
import { fileNamesIn } from '../../../git/file-names.ts';
import { CommandList, FileNames } from '../../../protocol/http.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { knownCommands } from '../../shared/agent-commands.ts';
import { rankFiles } from '../../shared/rank-files.ts';
import { anySession } from '../../shared/transcripts.ts';
import { type Route, route } from '../route.ts';
import { noSession, OfSession } from './session.ts';

/** Suggestions while somebody types a message. */
export const COMPLETION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/file-names',
    role: 'driver',
    summary: 'Files in the working folder that match what is being typed, best match first',
    params: OfSession,
    query: z.object({ find: z._default(z.string().check(z.maxLength(LIMITS.searchChars)), '') }),
    answer: { status: 200, schema: FileNames },
    refusals: [403, 404],
    handle: async (services, { params, query }) => {
      const session = await anySession(services, params.id);
      if (session === undefined) return noSession(params.id);
      // Another program's conversation can be in any folder: only folders where sessions may run are searched.
      const { allowedRoots } = services.inspector;
      const folder = await allowedFolder(session.cwd, allowedRoots);
      if (typeof folder !== 'string') return folder;
      const found = await fileNamesIn(folder);
      const names = found.names.filter((name) => pathProblem(join(folder, name), allowedRoots) === undefined);
      return { status: 200, body: { files: rankFiles(names, query.find, LIMITS.fileNames), whole: found.isWhole } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/commands',
    role: 'viewer',
    summary: 'The slash commands the agent last reported; before its first report, those of the agent’s other sessions in the same folder',
    params: OfSession,
    answer: { status: 200, schema: CommandList },
    refusals: [404],
    handle: async (services, { params }) => {
      const session = await anySession(services, params.id);
      return session === undefined ? noSession(params.id) : { status: 200, body: { commands: knownCommands(services.engine, session) } };
    },
  }),
];
