import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { BoundAction } from '../../base/actions/actions.ts';
import { useRegistry } from '../../base/actions/actions-context.ts';
import type { SessionChoice } from '../../base/actions/shell-context.ts';
import { usePush } from '../../parts/session-actions/use-push.ts';
import './palette.css';
import { choiceGroups, type PaletteItem, paletteGroups, sessionGroups, titleOf } from './items.ts';
import { PaletteField } from './palette-field.tsx';
import { PaletteList } from './palette-list.tsx';
import { useSessions } from './use-sessions.ts';

interface PaletteProps {
  /** Set when the palette only picks a session, for this purpose. */
  readonly picker?: SessionChoice;
  readonly onClose: () => void;
}

/** Finds every available action and every session by a few letters. */
export default function Palette({ picker, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const actions = useRegistry();
  // Some pages bind their actions a moment after they appear.
  useStore(actions.changes);
  // Loads whether the session is muted, which the mute action needs.
  usePush();
  const [asking, setAsking] = useState<BoundAction>();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const { sessionId } = useParams({ strict: false });
  // Leaves out the session that is open.
  const sessions = useSessions(query).filter(({ id }) => id !== sessionId);
  const run = useRunItem(picker);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const groups =
    asking !== undefined
      ? choiceGroups(query, asking, titleOf(asking))
      : picker !== undefined
        ? sessionGroups(query, sessions)
        : paletteGroups(query, actions.bound(), sessions);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(chosen, items.length - 1);
  const type = (typed: string) => {
    setQuery(typed);
    setChosen(0);
  };
  const choose = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    type('');
    if (item.kind === 'action' && item.bound.binding.choices !== undefined) return setAsking(item.bound);
    dialog.current?.close();
    run(item);
  };
  const back = () => {
    type('');
    setAsking(undefined);
  };
  const label = picker?.title ?? (asking === undefined ? 'Actions and sessions' : titleOf(asking));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside closes it, as Esc does
    <dialog
      ref={dialog}
      className="palette"
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <PaletteField
        label={label}
        query={query}
        active={items[at]?.key}
        canGoBack={asking !== undefined}
        onType={type}
        onStep={(by) => setChosen((at + by + items.length) % Math.max(1, items.length))}
        onRun={() => choose(items[at])}
        onBack={back}
        onClose={() => dialog.current?.close()}
      />
      <PaletteList groups={groups} active={items[at]?.key} onRun={choose} />
    </dialog>
  );
}

function useRunItem(picker: SessionChoice | undefined): (item: PaletteItem) => void {
  const navigate = useNavigate();
  return (item) => {
    switch (item.kind) {
      case 'action':
        return item.bound.binding.run();
      case 'choice':
        return item.choice.run();
      case 'search':
        return void navigate({ to: '/search', search: { q: item.query } });
      case 'session':
        return picker === undefined ? void navigate({ to: '/s/$sessionId', params: { sessionId: item.session.id } }) : picker.onChoose(item.session);
    }
  };
}
