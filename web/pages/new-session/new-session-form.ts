import * as z from 'zod/mini';
import { CreateSessionBody } from '../../../src/protocol/http.ts';
import { PERMISSION_MODES } from '../../base/text/format.ts';

/** The form as typed: lists have one entry per line. */
export interface NewSessionForm extends SavedForm {
  readonly prompt?: string;
  readonly env?: string;
}

const text = z.optional(z.string());

/** The fields that survive a reload: not the message, which is a draft, nor variables, which may be secrets. */
export const SavedForm = z.readonly(
  z.object({
    /** Another machine of the cluster. */
    node: text,
    agent: text,
    cwd: text,
    permissionMode: text,
    model: text,
    thinking: text,
    fallbackModel: text,
    appendSystemPrompt: text,
    addDirs: text,
    allowedTools: text,
    disallowedTools: text,
    maxTurns: text,
    /** A past conversation to continue, and whether in a copy. */
    resume: text,
    fork: z.optional(z.boolean()),
    /** False: the agent gets none of Signalbox's own tools. */
    tools: z.optional(z.boolean()),
    /** In a worktree of its own, with this name, from this branch. */
    worktree: z.optional(z.boolean()),
    worktreeName: text,
    worktreeBase: text,
  }),
);
export type SavedForm = z.infer<typeof SavedForm>;

const LISTS = ['addDirs', 'allowedTools', 'disallowedTools'] as const;

/**
 * Empty fields are not sent: the server and the agent have their own defaults. Filled fields always are, even when the agent doesn't support them: a
 * session without the limits the person typed is not what they asked for, so the server refuses it. Throws a readable message when a field is invalid.
 */
export function createBody(form: NewSessionForm, id: string): CreateSessionBody {
  const {
    addDirs: _dirs,
    allowedTools: _allowed,
    disallowedTools: _denied,
    maxTurns,
    env,
    resume,
    fork,
    tools,
    worktree,
    worktreeName,
    worktreeBase,
    ...plain
  } = form;
  const filled = Object.entries(plain).filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  const lists = LISTS.map((name) => [name, linesOf(form[name])] as const).filter(([, lines]) => lines.length > 0);
  return CreateSessionBody.parse({
    ...Object.fromEntries(filled),
    ...Object.fromEntries(lists),
    ...(isTyped(maxTurns) && { maxTurns: Number(maxTurns) }),
    ...(isTyped(env) && { env: Object.fromEntries(linesOf(env).map(variableOf)) }),
    ...(isTyped(resume) && { resume, ...(fork && { fork }) }),
    ...(tools === false && { tools }),
    ...(worktree && { worktree: { ...(isTyped(worktreeName) && { name: worktreeName.trim() }), ...(isTyped(worktreeBase) && { base: worktreeBase }) } }),
    id,
  });
}

/** Hides what the agent doesn't support, unless it was typed while another agent was chosen: everything that is sent stays visible. */
export const isOffered = (name: Exclude<keyof NewSessionForm, 'fork' | 'tools' | 'worktree'>, form: NewSessionForm, refused: readonly string[] = []): boolean =>
  !refused.includes(name) || isTyped(form[name]);

/** The agent's modes, plus a mode chosen with another agent, because it would be sent. */
export function modesFor({ permissionMode }: NewSessionForm, known = PERMISSION_MODES.map(([mode]) => mode)) {
  const offered = known.map((mode) => ({ mode, isKnown: true }));
  return isTyped(permissionMode) && !known.includes(permissionMode) ? [...offered, { mode: permissionMode, isKnown: false }] : offered;
}

const isTyped = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

const linesOf = (text = ''): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function variableOf(line: string): readonly [string, string] {
  const at = line.indexOf('=');
  if (at < 1) throw new Error(`“${line}” is not a variable. Write NAME=value.`);
  return [line.slice(0, at), line.slice(at + 1)];
}
