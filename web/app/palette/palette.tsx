import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { BoundAction } from '../../base/actions/actions.ts';
import { useRegistry } from '../../base/actions/actions-context.ts';
import type { SessionWish } from '../../base/actions/shell-context.ts';
import { usePush } from '../../parts/session-actions/use-push.ts';
import './palette.css';
import { choiceGroups, type PaletteItem, paletteGroups, sessionGroups, titleOf } from './items.ts';
import { PaletteField } from './palette-field.tsx';
import { PaletteList } from './palette-list.tsx';
import { useSessions } from './use-sessions.ts';

interface PaletteProps {
  /** Only a session is asked for, for this. */
  readonly wish?: SessionWish;
  readonly onClose: () => void;
}

/** Reaches every action that is bound and every session, by a few letters. */
export default function Palette({ wish, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const actions = useRegistry();
  // Some surfaces bind a moment later than they are seen.
  useStore(actions.changes);
  // Whether a session is muted is asked for by whoever could change it.
  usePush();
  const [asking, setAsking] = useState<BoundAction>();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const { sessionId } = useParams({ strict: false });
  // Nobody goes where they are.
  const sessions = useSessions(words).filter(({ id }) => id !== sessionId);
  const take = useTake(wish);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const groups =
    asking !== undefined
      ? choiceGroups(words, asking, titleOf(asking))
      : wish !== undefined
        ? sessionGroups(words, sessions)
        : paletteGroups(words, actions.bound(), sessions);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(chosen, items.length - 1);
  const type = (typed: string) => {
    setWords(typed);
    setChosen(0);
  };
  const choose = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    type('');
    if (item.kind === 'action' && item.bound.binding.choices !== undefined) return setAsking(item.bound);
    dialog.current?.close();
    take(item);
  };
  const back = () => {
    type('');
    setAsking(undefined);
  };
  const label = wish?.title ?? (asking === undefined ? 'Actions and sessions' : titleOf(asking));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, as Esc does
    <dialog
      ref={dialog}
      className="palette"
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <PaletteField
        label={label}
        words={words}
        active={items[at]?.key}
        canGoBack={asking !== undefined}
        onType={type}
        onStep={(by) => setChosen((at + by + items.length) % Math.max(1, items.length))}
        onTake={() => choose(items[at])}
        onBack={back}
        onClose={() => dialog.current?.close()}
      />
      <PaletteList groups={groups} active={items[at]?.key} onTake={choose} />
    </dialog>
  );
}

function useTake(wish: SessionWish | undefined): (item: PaletteItem) => void {
  const navigate = useNavigate();
  return (item) => {
    switch (item.kind) {
      case 'action':
        return item.bound.binding.run();
      case 'choice':
        return item.choice.run();
      case 'search':
        return void navigate({ to: '/search', search: { q: item.words } });
      case 'session':
        return wish === undefined ? void navigate({ to: '/s/$sessionId', params: { sessionId: item.session.id } }) : wish.onChoose(item.session);
    }
  };
}
