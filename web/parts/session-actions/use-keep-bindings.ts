import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Bindings } from '../../base/actions/actions.ts';
import { useShell } from '../../base/actions/shell-context.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCopy } from '../common/use-copy.ts';
import { useDownload } from '../common/use-download.ts';

const FORMATS = [
  ['md', 'Markdown', 'to read and to paste'],
  ['html', 'One HTML file', 'to read in any browser'],
  ['json', 'JSON', 'every event, for programs'],
] as const;

/** What a person keeps, copies and takes along of a session. */
export function useKeepBindings(sessionId: string): Bindings {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const copyText = useCopy();
  const download = useDownload();
  const { chooseSession } = useShell();
  const isTiled = useLocation({ select: ({ pathname }) => pathname === '/tiles' });
  const session = useApp((state) => state.sessions.get(sessionId));
  if (session === undefined) return {};
  const copy = (what: string, text: string) => void copyText(text).then((isCopied) => isCopied && cockpit.tell('info', `${what} is copied.`));
  const beside = () =>
    chooseSession({
      title: `Beside “${session.title}”`,
      onChoose: ({ id }) => void navigate({ to: '/tiles', search: { s: `${sessionId},${id}` } }),
    });
  return {
    'session.star': { run: () => void cockpit.describe(sessionId, { star: !session.star }), title: session.star ? 'Take the star away' : 'Star' },
    'session.archive': {
      run: () => void cockpit.describe(sessionId, { archived: session.archived !== true }),
      title: session.archived ? 'Take out of the archive' : 'Archive',
      hint: session.archived ? 'back into the list' : 'leaves the list, stays findable',
    },
    'session.close': {
      run: () => void cockpit.setClosed(sessionId, session.closed !== true),
      title: session.closed ? 'Open to others again' : 'Close to others',
      hint: session.closed ? 'only you see it now' : 'only its owner sees it then',
    },
    'session.link': () => copy('The link', new URL(`s/${sessionId}`, document.baseURI).href),
    'session.folder': { run: () => copy('The folder', session.cwd), hint: session.cwd },
    'session.id': () => copy('The session id', sessionId),
    'session.export': {
      run: () => undefined,
      choices: FORMATS.map(([format, title, hint]) => ({ title, hint, run: () => download(exportPath(sessionId, format)) })),
    },
    'session.search': () => void navigate({ to: '/search', search: { session: sessionId } }),
    'session.beside': isTiled ? undefined : beside,
  };
}

const exportPath = (sessionId: string, format: string): string => `api/sessions/${encodeURIComponent(sessionId)}/export?format=${format}`;
