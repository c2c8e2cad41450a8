import { useNavigate } from '@tanstack/react-router';
import { useActions } from '../../base/actions/actions-context.ts';
import { useShell } from '../../base/actions/shell-context.ts';
import { MAX_TILES } from '../../store/state/tile-layout.ts';
import type { Tiles } from './use-tiles.ts';

interface TileActionsProps extends Tiles {
  /** The tile that keys act on. */
  readonly active: string | undefined;
  readonly setActive: (id: string) => void;
}

/** In percent, per press of a key. */
const STEP = 4;

/** Actions on tiles, for keys and the palette. */
export function useTileActions({ layout, active, setActive, ...tiles }: TileActionsProps): void {
  const navigate = useNavigate();
  const { chooseSession } = useShell();
  const { columns } = layout;
  const sessions: readonly string[] = layout.sessions;
  const at = active === undefined ? -1 : sessions.indexOf(active);
  const hasMany = sessions.length > 1;
  const activate = (by: 1 | -1) => () => {
    const next = sessions[(at + by + sessions.length) % sessions.length];
    if (next === undefined) return;
    setActive(next);
    document.querySelector<HTMLElement>(`[data-tile="${next}"]`)?.focus();
  };
  // Keys keep acting on the tile that moves, even if it wasn't active before.
  const move = (id: string, steps: 1 | -1) => {
    setActive(id);
    tiles.move(id, steps);
  };
  const size = (side: 'widths' | 'heights', by: number) => () => {
    tiles.resize(side, side === 'widths' ? at % columns : Math.floor(at / columns), by);
  };
  const add = () => chooseSession({ title: 'Add a session', onChoose: ({ id }) => tiles.setSessions([...sessions, id]) });
  useActions({
    'tiles.add': sessions.length < MAX_TILES ? add : undefined,
    ...(active !== undefined && {
      'tiles.remove': () => tiles.setSessions(sessions.filter((id) => id !== active)),
      'tiles.alone': () => void navigate({ to: '/s/$sessionId', params: { sessionId: active } }),
    }),
    ...(active !== undefined &&
      hasMany && {
        'tiles.next': activate(1),
        'tiles.previous': activate(-1),
        'tiles.later': () => move(active, 1),
        'tiles.earlier': () => move(active, -1),
        'tiles.wider': size('widths', STEP),
        'tiles.narrower': size('widths', -STEP),
        'tiles.taller': size('heights', STEP),
        'tiles.shorter': size('heights', -STEP),
        'tiles.even': tiles.even,
        'tiles.columns': {
          run: () => undefined,
          choices: [1, 2, 3].slice(0, sessions.length).map((each) => ({ title: String(each), isNow: each === columns, run: () => tiles.setColumns(each) })),
        },
      }),
  });
}
