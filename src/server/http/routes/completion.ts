import { join } from 'node:path';
import * as z from 'zod/mini';
import { allowedFolder, ruleAgainst } from '../../../folders/allowed-roots.ts';
import { fileNamesIn } from '../../../git/file-names.ts';
import { CommandList, FileNames } from '../../../protocol/http.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { toldCommands } from '../../agent-commands.ts';
import { bestOf } from '../../rank-files.ts';
import { anySession } from '../../transcripts.ts';
import { type Route, route } from '../route.ts';
import { noSession, OfSession } from './session.ts';

/** What is proposed while somebody types a message. */
export const COMPLETION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/file-names',
    role: 'driver',
    summary: 'Files of the working folder whose path fits what is being typed, the best first',
    params: OfSession,
    query: z.object({ find: z._default(z.string().check(z.maxLength(LIMITS.searchChars)), '') }),
    answer: { status: 200, schema: FileNames },
    refusals: [403, 404],
    handle: async (services, { params, query }) => {
      const session = await anySession(services, params.id);
      if (session === undefined) return noSession(params.id);
      // A conversation of another program may have been had anywhere: only folders in which sessions may run are looked into.
      const { grounds } = services.sides;
      const folder = await allowedFolder(session.cwd, grounds);
      if (typeof folder !== 'string') return folder;
      const found = await fileNamesIn(folder);
      const names = found.names.filter((name) => ruleAgainst(join(folder, name), grounds) === undefined);
      return { status: 200, body: { files: bestOf(names, query.find, LIMITS.fileNames), whole: found.isWhole } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/commands',
    role: 'viewer',
    summary: 'The commands that the agent last said it takes; of one that has not been heard yet, those of its sessions in the same folder',
    params: OfSession,
    answer: { status: 200, schema: CommandList },
    refusals: [404],
    handle: async (services, { params }) => {
      const session = await anySession(services, params.id);
      return session === undefined ? noSession(params.id) : { status: 200, body: { commands: toldCommands(services.engine, session) } };
    },
  }),
];
