import { newsOf } from '../../domain/finish/pr-cards.ts';
import { type FinishStatus, finishStatus } from '../../git/finish-status.ts';
import { isHostProblem } from '../../git/hosts/host.ts';
import { compareUrl, hostFor, remoteAddress, type WebRepository, webRepository } from '../../git/pull-request.ts';
import type { GitLocation } from '../../git/run-git.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { PrAnswer, PrBody } from '../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import { type Acting, actPlace, earlier, type FinishContext, record, stateOf } from './finish-context.ts';

/** Opens a pull request for the pushed branch, or says where a person can. A second request for the same branch links the first one. */
export async function openPullRequest(context: FinishContext, acting: Acting, body: PrBody): Promise<PrAnswer | Refusal> {
  return context.queues.run(acting.session.cwd, async () => {
    const known = earlier(context, acting, 'pr');
    if (known !== undefined) return known;
    const place = await actPlace(context, acting.session);
    if (isRefusal(place)) return place;
    const status = await finishStatus(place.read, context.allowedRoots);
    if ('words' in status) return { refused: 'conflict', message: status.words };
    const target = await pushedTo(place.read, status);
    if (isRefusal(target)) return target;
    const host = hostFor(target.repository, context.env);
    if (host === undefined) return { compareUrl: compareUrl(target.repository, target.branch, body.base) };
    const opened = await host.create(place.act, { title: body.title, body: body.body, base: body.base, draft: body.draft, head: target.branch });
    if (isHostProblem(opened)) {
      await record(context, acting, { act: 'pr', ok: false, message: opened.words });
      return { refused: 'conflict', message: opened.words };
    }
    const { url, number, existed } = opened;
    const { session, actor, commandId } = acting;
    const linked = await context.engine.submit(
      { type: 'pr.link', commandId: `pr:${commandId}`.slice(0, 200) as CommandId, sessionId: session.id, host: host.program, url, number },
      actor,
    );
    if (isRefusal(linked)) return linked;
    return record(context, acting, { act: 'pr', ok: true, url, ...(existed && { message: 'This pull request was already open.' }) });
  });
}

interface PushedTo {
  readonly repository: WebRepository;
  readonly branch: string;
}

async function pushedTo(place: GitLocation, { upstream, remotes }: FinishStatus): Promise<PushedTo | Refusal> {
  if (upstream === undefined) return { refused: 'conflict', message: 'This branch is not pushed yet. Push it, then open the pull request.' };
  if (upstream.ahead > 0) return { refused: 'conflict', message: `${upstream.ahead} commits are not pushed yet. Push them, then open the pull request.` };
  const remote = remotes.find(({ name }) => upstream.name.startsWith(`${name}/`))?.name ?? '';
  const address = await remoteAddress(place, remote);
  const repository = address === undefined ? undefined : webRepository(address);
  if (repository === undefined) return { refused: 'conflict', message: `The remote ${remote} is not on a host with pull requests that Signalbox knows.` };
  return { repository, branch: upstream.name.slice(remote.length + 1) };
}

/** Asks the host how the pull request is, and keeps what is new. Returns what went wrong, if something did. */
export async function lookAtPullRequest(context: FinishContext, id: SessionId): Promise<{ readonly words: string; readonly isPassing: boolean } | undefined> {
  const session = context.engine.session(id);
  const pr = stateOf(context, id)?.pr;
  if (session === undefined || pr == null) return undefined;
  const repository = webRepository(pr.url.replace(/\/(-\/merge_requests|pull)\/\d+.*$/, ''));
  const host = repository === undefined ? undefined : hostFor(repository, context.env);
  if (host === undefined) return { words: `${pr.host} is no longer installed, so the checks are not known.`, isPassing: false };
  // Not in the session's folder: nobody has asked for this just now, and its settings are the agent's to change.
  const report = await host.read({ cwd: context.env.HOME ?? '/', env: context.env }, pr.url);
  if (isHostProblem(report)) return report;
  const now = stateOf(context, id)?.pr;
  const news = now == null || now.url !== pr.url ? undefined : newsOf(now, report);
  if (news === undefined) return undefined;
  const { state, checks, comments } = news;
  const commandId = `pr-news:${id}:${context.engine.session(id)?.lastSeq ?? 0}`.slice(0, 200) as CommandId;
  const kept = await context.engine.submit(
    { type: 'pr.update', commandId, sessionId: id, url: pr.url, state, checks: [...checks], comments: [...comments] },
    SYSTEM,
  );
  return isRefusal(kept) ? { words: kept.message, isPassing: true } : undefined;
}
