import { Check, ChevronRight, Search } from 'lucide-react';
import type { Session } from '../../../src/protocol/session.ts';
import { isMac } from '../../base/actions/is-mac.ts';
import { keyText } from '../../base/actions/key-names.ts';
import { lampOf, wordOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import { Ago } from '../../parts/common/ago.tsx';
import { useUnread } from '../../parts/common/use-unread.ts';
import { optionId, type PaletteItem } from './items.ts';

interface PaletteOptionProps {
  readonly item: PaletteItem;
  readonly isActive: boolean;
  readonly onRun: () => void;
}

export function PaletteOption({ item, isActive, onRun }: PaletteOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
    <div id={optionId(item.key)} role="option" aria-selected={isActive} className="palette-line" onClick={onRun}>
      <Sign item={item} />
      <span className="palette-title">
        <VisibleLine text={item.title} />
      </span>
      <Facts item={item} />
    </div>
  );
}

function Sign({ item }: { readonly item: PaletteItem }) {
  switch (item.kind) {
    case 'session':
      return <LampIcon shape={lampOf(item.session).shape} />;
    case 'search':
      return <Search size={14} aria-hidden="true" />;
    case 'choice':
      return item.choice.isNow === true ? <Check size={15} aria-label="Selected" /> : <span className="palette-no-sign" />;
    case 'action':
      return null;
  }
}

function Facts({ item }: { readonly item: PaletteItem }) {
  switch (item.kind) {
    case 'session':
      return <SessionFacts session={item.session} />;
    case 'choice':
      return <span className="palette-facts">{item.choice.hint}</span>;
    case 'action':
      return <ActionSigns item={item} />;
    case 'search':
      return null;
  }
}

function SessionFacts({ session }: { readonly session: Session }) {
  const isUnread = useUnread(session);
  return (
    <span className="palette-facts">
      <span className="palette-project">{session.project}</span>
      <span className="palette-state">
        · {wordOf(lampOf(session), isUnread)} · <Ago at={session.updatedAt} />
      </span>
    </span>
  );
}

function ActionSigns({ item: { bound } }: { readonly item: Extract<PaletteItem, { kind: 'action' }> }) {
  const { keys, keysText } = bound.facts;
  const key = keysText ?? (keys?.[0] === undefined ? undefined : keyText(keys[0], isMac()));
  return (
    <span className="palette-facts">
      {bound.binding.hint} {key !== undefined && <kbd>{key}</kbd>}
      {bound.binding.choices !== undefined && <ChevronRight size={14} aria-hidden="true" />}
    </span>
  );
}
