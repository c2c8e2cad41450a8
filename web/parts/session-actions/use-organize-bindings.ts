import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Session } from '../../../src/protocol/session.ts';
import type { Binding, Bindings } from '../../base/actions/actions.ts';
import { useShell } from '../../base/actions/shell-context.ts';
import { createOutsideApi } from '../../client/http/outside-api.ts';
import type { Cockpit } from '../../store/cockpit.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { canBeUnread } from '../../store/sessions/unread.ts';
import { useCopy } from '../common/use-copy.ts';
import { useDownload } from '../common/use-download.ts';
import { useUnread } from '../common/use-unread.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;

const FORMATS = [
  ['md', 'Markdown', 'to read and paste'],
  ['html', 'HTML', 'one file, for any browser'],
  ['json', 'JSON', 'every event, for programs'],
] as const;

/** Stars, archives, shares, copies and exports a session. */
export function useOrganizeBindings(sessionId: string): Bindings {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const copyText = useCopy();
  const download = useDownload();
  const { chooseSession } = useShell();
  const isTiled = useLocation({ select: ({ pathname }) => pathname === '/tiles' });
  const session = useApp((state) => state.sessions.get(sessionId));
  const isUnread = useUnread(session);
  const you = useApp((state) => state.you);
  if (session === undefined) return {};
  const copy = (what: string, text: string) => void copyText(text).then((isCopied) => isCopied && cockpit.showNotice('info', `${what} copied.`));
  const share = async () => {
    try {
      const { url } = await createOutsideApi(document.baseURI).share(sessionId, new Date(Date.now() + WEEK_MS).toISOString());
      const isCopied = await copyText(new URL(url, new URL(document.baseURI).origin).href);
      cockpit.showNotice(
        'info',
        isCopied ? 'Link copied. It is valid for a week; revoke it under Settings → Connections.' : 'The link is under Settings → Connections.',
      );
    } catch (error) {
      cockpit.showNotice('error', error instanceof Error ? error.message : String(error));
    }
  };
  const beside = () =>
    chooseSession({
      title: `Open beside “${session.title}”`,
      onChoose: ({ id }) => void navigate({ to: '/tiles', search: { s: `${sessionId},${id}` } }),
    });
  return {
    'session.star': { run: () => void cockpit.describe(sessionId, { star: !session.star }), title: session.star ? 'Unstar' : 'Star' },
    'session.unread': unreadBinding(cockpit, session, isUnread),
    'session.archive': {
      run: () => void cockpit.describe(sessionId, { archived: session.archived !== true }),
      title: session.archived ? 'Unarchive' : 'Archive',
      hint: session.archived ? 'back to the list' : 'hidden from the list, still searchable',
    },
    'session.close': {
      run: () => void cockpit.setPrivate(sessionId, session.closed !== true),
      title: session.closed ? 'Share with everyone' : 'Make private',
      hint: session.closed ? 'only its owner can see it now' : 'only its owner can see it',
    },
    'session.link': () => copy('Link', new URL(`s/${sessionId}`, document.baseURI).href),
    ...(you?.role === 'owner' &&
      session.closed !== true && {
        'session.share': { run: () => void share(), hint: 'anyone with the link can read this session; revoke it in the settings' },
      }),
    'session.folder': { run: () => copy('Folder', session.cwd), hint: session.cwd },
    'session.id': () => copy('Session id', sessionId),
    'session.export': {
      run: () => undefined,
      choices: FORMATS.map(([format, title, hint]) => ({ title, hint, run: () => download(exportPath(sessionId, format)) })),
    },
    'session.search': () => void navigate({ to: '/search', search: { session: sessionId } }),
    'session.beside': isTiled ? undefined : beside,
  };
}

/** Undefined while there is nothing that could have been seen, or it is still working. */
function unreadBinding(cockpit: Cockpit, session: Session, isUnread: boolean): Binding | undefined {
  if (isUnread) return { run: () => void cockpit.see(session), title: 'Mark as read' };
  return canBeUnread(session) ? { run: () => void cockpit.markUnread(session.id), hint: 'until you read it again' } : undefined;
}

const exportPath = (sessionId: string, format: string): string => `api/sessions/${encodeURIComponent(sessionId)}/export?format=${format}`;
