import { createHash } from 'node:crypto';
import { projectOf } from '../../domain/policy/workspace.ts';
import type { SessionWorktree } from '../../domain/session/state.ts';
import type { ChangedHooks } from '../../domain/worktree/decide.ts';
import { notable } from '../../git/planted.ts';
import { repositoryOf } from '../../git/repository.ts';
import type { NotedEntry } from '../../protocol/git.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** What git runs, as the person, when it makes a worktree or moves a branch that is checked out. */
const HOOKS = /^hook (post-checkout|post-merge|reference-transaction|post-index-change)$/;
const SETTINGS =
  /^setting (core\.(hookspath|fsmonitor|sshcommand|gitproxy|askpass|attributesfile|worktree)|filter\..*|include(if)?\..*|credential\..*|protocol\..*|remote\..*\.(uploadpack|vcs|promisor)|extensions\.partialclone|\(unreadable\))$/is;

/** What older sessions noted says nothing new. */
const MOST_NOTES = 20;

/**
 * What changed of it since any agent started to work in this repository, and that nobody has accepted for this session or, as an owner, for the
 * repository. Undefined if git may run.
 */
export async function hooksToTrust(session: SessionActor, { repo, by }: SessionWorktree): Promise<ChangedHooks | undefined> {
  const notes = notesIn(session, repo);
  const place = notes.length === 0 ? undefined : await repositoryOf(repo);
  if (place === undefined || 'words' in place) return undefined;
  const runs = (await notable(place)).filter(({ name }) => HOOKS.test(name) || SETTINGS.test(name));
  const changes = runs.filter((entry) => notes.some((noted) => noted.every(({ name, sha256 }) => name !== entry.name || sha256 !== entry.sha256)));
  if (changes.length === 0) return undefined;
  const facts = changes.map(({ name, sha256 }) => `${name} ${sha256}`).sort();
  const sha256 = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  const { state, context } = session;
  const isTrusted = (state.trusted ?? []).includes(sha256) || (by?.kind === 'person' && projectOf(context.workspace.state, repo).trusted.includes(sha256));
  return isTrusted ? undefined : { sha256, changes: changes.map(({ name, text }) => ({ name, text })) };
}

/** What was there when the agents of this repository's sessions started. */
function notesIn({ context }: SessionActor, repo: string): readonly (readonly NotedEntry[])[] {
  const isHere = (cwd = ''): boolean => cwd === repo || cwd.startsWith(`${repo}/`);
  const here = [...context.sessions.values()].filter(({ state }) => !state.deleted && (state.worktree?.repo === repo || isHere(state.born?.cwd)));
  const seqs = here.flatMap(({ state }) => (state.finish?.notedSeq == null ? [] : [{ id: state.id, seq: state.finish.notedSeq }]));
  return seqs.slice(-MOST_NOTES).flatMap(({ id, seq }) => {
    const [noted] = context.deps.journal.after(id, seq - 1, 1);
    return noted?.type === 'git.noted' ? [noted.entries] : [];
  });
}
