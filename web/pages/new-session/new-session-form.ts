import * as z from 'zod/mini';
import { CreateSessionBody } from '../../../src/protocol/http.ts';
import { PERMISSION_MODES } from '../../base/words/words.ts';

/** As it is typed: lists are one entry a line. */
export interface NewSessionForm extends KeptForm {
  readonly prompt?: string;
  readonly env?: string;
}

const text = z.optional(z.string());

/** What a reload does not take: not the message, which is a draft, nor variables, which may be secrets. */
export const KeptForm = z.readonly(
  z.object({
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
    /** A past conversation to go on with, and whether with a copy. */
    resume: text,
    fork: z.optional(z.boolean()),
  }),
);
export type KeptForm = z.infer<typeof KeptForm>;

const LISTS = ['addDirs', 'allowedTools', 'disallowedTools'] as const;

/**
 * What is left empty is not sent: the server and the agent have their own defaults. What is filled is, even when the agent has nothing like it: a
 * session without the limits that were typed is not what was asked for, so the server refuses it. Throws words when something is not understood.
 */
export function createBody(form: NewSessionForm, id: string): CreateSessionBody {
  const { addDirs: _dirs, allowedTools: _allowed, disallowedTools: _denied, maxTurns, env, resume, fork, ...plain } = form;
  const filled = Object.entries(plain).filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  const lists = LISTS.map((name) => [name, linesOf(form[name])] as const).filter(([, lines]) => lines.length > 0);
  return CreateSessionBody.parse({
    ...Object.fromEntries(filled),
    ...Object.fromEntries(lists),
    ...(isTyped(maxTurns) && { maxTurns: Number(maxTurns) }),
    ...(isTyped(env) && { env: Object.fromEntries(linesOf(env).map(variableOf)) }),
    ...(isTyped(resume) && { resume, ...(fork && { fork }) }),
    id,
  });
}

/** What the agent has nothing like is not offered, unless it was typed when another was chosen: what is sent can be seen. */
export const isOffered = (name: Exclude<keyof NewSessionForm, 'fork'>, form: NewSessionForm, refused: readonly string[] = []): boolean =>
  !refused.includes(name) || isTyped(form[name]);

/** The modes of the agent; and one that was chosen with another agent, because it would be sent. */
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
  if (at < 1) throw new Error(`“${line}” is no variable: write NAME=value.`);
  return [line.slice(0, at), line.slice(at + 1)];
}
