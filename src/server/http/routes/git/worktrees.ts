import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { WorktreeAct, WorktreeAnswer } from '../../../../engine/worktrees/act.ts';
import type { Actor } from '../../../../protocol/actor.ts';
import {
  ActBody,
  MergeAnswer,
  MergeBody,
  PreviewAnswer,
  ProjectScripts,
  Ref,
  RemoveBody,
  ScriptsBody,
  Worktree,
  WorktreeList,
  WorktreeLosses,
} from '../../../../protocol/api/worktree.ts';
import { isRefusal, type Refusal } from '../../../../protocol/command.ts';
import { CommandAnswer } from '../../../../protocol/http.ts';
import { CommandId, type SessionId, WorktreeId } from '../../../../protocol/ids.ts';
import { type Answer, type Route, route, type Services } from '../../route.ts';

const newCommandId = (): CommandId => CommandId.parse(randomUUID());

const OfWorktree = z.object({ id: WorktreeId });

const actRoute = (name: 'archive' | 'restore' | 'setup' | 'run', summary: string): Route =>
  route({
    method: 'POST',
    path: `/api/worktrees/:id/${name}`,
    role: 'driver',
    isAudited: true,
    summary,
    params: OfWorktree,
    body: z.optional(ActBody),
    answer: { status: 202, schema: Worktree },
    refusals: [404, 409],
    handle: (services, { params, actor }) => act(services, params.id, { type: name }, actor),
  });

export const WORKTREE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/worktrees',
    role: 'viewer',
    summary: 'Worktrees of every repository in which a session has one. Those that Signalbox did not make have no id',
    answer: { status: 200, schema: WorktreeList },
    handle: async ({ engine }) => ({ status: 200, body: { worktrees: await engine.worktrees() } }),
  }),
  route({
    method: 'GET',
    path: '/api/worktrees/preview',
    role: 'viewer',
    summary: 'What a new worktree of a folder would be: its base, the files that are copied, the scripts that run',
    query: z.strictObject({ cwd: z.string(), base: z.optional(Ref) }),
    answer: { status: 200, schema: PreviewAnswer },
    refusals: [400],
    handle: async ({ engine }, { query }) => {
      const preview = await engine.previewWorktree(query.cwd, query.base);
      if (!isRefusal(preview)) return { status: 200, body: preview };
      // A folder without a repository is nothing wrong: it is what the form asks about.
      return preview.refused === 'conflict' ? { status: 200, body: { problem: preview.message } } : preview;
    },
  }),
  route({
    method: 'PUT',
    path: '/api/worktrees/scripts',
    role: 'owner',
    isAudited: true,
    summary: 'The owner’s own scripts of a repository; they win over those in the repository. Without any: back to the repository’s',
    body: ScriptsBody,
    answer: { status: 200, schema: CommandAnswer },
    refusals: [400, 403, 409],
    handle: async ({ engine }, { body, actor }) => {
      const { repo: folder, ...scripts } = body;
      // Its real top folder: scripts under any other name would never be found.
      const place = await engine.previewWorktree(folder);
      if (isRefusal(place)) return place;
      const command = { type: 'scripts.set', commandId: newCommandId(), repo: place.repo, scripts: ProjectScripts.parse(scripts) } as const;
      const receipt = await engine.workspace(command, actor);
      return isRefusal(receipt) ? receipt : { status: 200, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/worktrees/:id/merge',
    role: 'driver',
    isAudited: true,
    summary: 'Merge the worktree’s branch into another one (its base by default). 409 names conflicts and uncommitted files; nothing is changed then',
    params: OfWorktree,
    body: MergeBody,
    answer: { status: 200, schema: MergeAnswer },
    refusals: [404, 409],
    handle: (services, { params, body, actor }) => act(services, params.id, { type: 'merge', ...body, commandId: body.commandId ?? newCommandId() }, actor),
  }),
  actRoute('archive', 'Run the archive script, remove the worktree as DELETE does, and archive its session'),
  actRoute('restore', 'Bring a removed worktree back, with everything that was saved'),
  actRoute('setup', 'Make the worktree and run its setup script again, after a failure'),
  actRoute('run', 'Start the project’s run script in the worktree'),
  route({
    method: 'DELETE',
    path: '/api/worktrees/:id',
    role: 'driver',
    isAudited: true,
    summary: 'Remove the worktree; its branch stays. 409 names what would be lost. `force` (owner) saves everything first; `dryRun` only lists it',
    params: OfWorktree,
    body: z.optional(z.nullable(RemoveBody)),
    answer: { status: 202, schema: z.union([Worktree, WorktreeLosses]) },
    refusals: [404, 409],
    handle: async (services, { params, body, actor, role }) => {
      if (body?.force === true && role !== 'owner') {
        await services.engine.workspace(
          { type: 'act.refuse', commandId: newCommandId(), act: 'DELETE /api/worktrees/:id with force', role, target: params.id },
          actor,
        );
        return { refused: 'not-permitted', message: `Only an owner can remove a worktree with force; your role is ${role}.` };
      }
      return act(services, params.id, { type: 'remove', force: body?.force, dryRun: body?.dryRun }, actor);
    },
  }),
];

async function act(services: Services, id: WorktreeId, what: WorktreeAct, actor: Actor): Promise<Answer | Refusal> {
  const { engine } = services;
  const session = engine.sessions().find(({ worktree }) => worktree?.id === id);
  if (session === undefined) return { refused: 'not-found', message: `There is no worktree ${id}.` };
  const answer = await engine.actOnWorktree(session.id, what, actor);
  return isRefusal(answer) ? answer : answerOf(services, session.id, answer);
}

async function answerOf({ engine }: Services, sessionId: SessionId, answer: WorktreeAnswer): Promise<Answer | Refusal> {
  if ('merged' in answer) return { status: 200, body: answer.merged };
  if ('losses' in answer) return { status: 200, body: answer.losses };
  const worktree = (await engine.worktrees()).find(({ session }) => session?.id === sessionId);
  return worktree === undefined ? { refused: 'not-found', message: 'The worktree is gone.' } : { status: 202, body: worktree };
}
