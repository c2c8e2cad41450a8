import type { PrCard, PrCheck, PrComment, PrState, SessionPr } from '../../protocol/git.ts';

/** What a poll found. */
export interface PrReport {
  readonly state: PrState;
  readonly checks: readonly PrCheck[];
  readonly comments: readonly PrComment[];
}

type Known = Pick<SessionPr, 'state' | 'checks'> & { readonly seen: readonly string[] };

/** What a poll found that is not known yet; undefined if there is nothing new. Comments that were reported are left out. */
export function newsOf(known: Known, found: PrReport): PrReport | undefined {
  const comments = found.comments.filter(({ id }) => !known.seen.includes(id));
  const isSame = found.state === known.state && sameChecks(found.checks, known.checks);
  return isSame && comments.length === 0 ? undefined : { state: found.state, checks: found.checks, comments };
}

const sameChecks = (a: readonly PrCheck[], b: readonly PrCheck[]): boolean => JSON.stringify(byName(a)) === JSON.stringify(byName(b));

const byName = (checks: readonly PrCheck[]): readonly (readonly [string, string, string | undefined])[] =>
  checks.map(({ name, state, url }) => [name, state, url] as const).sort((a, b) => `${a}`.localeCompare(`${b}`));

/** More cards than this help nobody: the pull request itself has them all. */
const CARDS = 20;

/** A check that has just failed and each new comment get a card; a check that passes again takes its card away. */
export function cardsAfter(before: Pick<SessionPr, 'checks' | 'cards'>, event: PrReport & { readonly at: string }): PrCard[] {
  if (event.state === 'merged' || event.state === 'closed') return [];
  const failed = new Set(failedIn(event.checks));
  const wasFailed = new Set(failedIn(before.checks));
  const kept = before.cards.filter((card) => card.kind === 'comment' || failed.has(card.title));
  const fresh = event.checks.filter(({ name, state }) => state === 'failed' && !wasFailed.has(name)).map((check) => checkCard(check, event.at));
  return [
    ...kept.filter((card) => !fresh.some(({ id }) => id === card.id)),
    ...fresh,
    ...event.comments.map((comment) => commentCard(comment, event.at)),
  ].slice(-CARDS);
}

const failedIn = (checks: readonly PrCheck[]): readonly string[] => checks.flatMap(({ name, state }) => (state === 'failed' ? [name] : []));

const checkCard = ({ name, url }: PrCheck, at: string): PrCard => ({
  id: `check:${name}`,
  kind: 'check',
  title: name,
  text: 'This check failed.',
  at,
  ...(url !== undefined && { url }),
});

const commentCard = ({ id, author, text, path, line, url }: PrComment, at: string): PrCard => ({
  id: `comment:${id}`,
  kind: 'comment',
  title: author,
  text,
  at,
  ...(url !== undefined && { url }),
  ...(path !== undefined && { path }),
  ...(line !== undefined && { line }),
});

/** The message that "Send to agent" sends. */
export function cardMessage({ kind, title, text, url, path, line }: PrCard, pr: Pick<SessionPr, 'url'>): string {
  const where = path === undefined ? '' : ` on ${path}${line === undefined ? '' : `:${line}`}`;
  if (kind === 'check')
    return `The check "${title}" failed on the pull request ${pr.url}.${url === undefined ? '' : ` Its details: ${url}`}\n\nFind out why and fix it.`;
  const quoted = text.split('\n').map((each) => `> ${each}`);
  return [`${title} commented${where} in the pull request ${pr.url}:`, '', ...quoted, '', 'Address this comment.'].join('\n');
}
