import { Check, ChevronDown } from 'lucide-react';
import type { Wish } from '../../../src/domain/transcript/item.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';

export interface Choice {
  readonly value: string;
  readonly words: string;
  readonly hint?: string;
  readonly isDangerous?: boolean;
}

interface SettingMenuProps {
  readonly title: string;
  readonly now: string | undefined;
  readonly words: (value: string) => string;
  readonly choices: readonly Choice[];
  readonly wish: Wish | undefined;
  /** Without a process nobody can confirm: the wish holds from the next one on. */
  readonly isAsleep: boolean;
  readonly isDangerous?: boolean;
  readonly onChoose: (value: string) => void;
}

/** One setting: as the agent says it is, with what was asked beside it until the agent has answered. */
export function SettingMenu({ title, now, words, choices, wish, isAsleep, isDangerous = false, onChoose }: SettingMenuProps) {
  const asked = wish === undefined || wish.refused !== undefined || wish.value === now ? undefined : words(wish.value);
  const face = (
    <>
      <span className="chip-text">{now === undefined ? title.toLowerCase() : words(now)}</span>
      {asked !== undefined && (
        <span className="chip-asked">
          → {asked}
          {isAsleep ? ', when it wakes' : ', asked…'}
        </span>
      )}
      <ChevronDown size={12} aria-hidden="true" />
    </>
  );
  const label = `${title}: ${now === undefined ? 'not known' : words(now)}${asked === undefined ? '' : `, asked for ${asked}`}`;
  return (
    <PopupMenu label={label} className={isDangerous ? 'chip setting danger' : 'chip setting'} face={face}>
      <p className="menu-title">{title}</p>
      {wish?.refused !== undefined && (
        <p className="menu-problem">
          Not changed to {words(wish.value)}: {wish.refused}
        </p>
      )}
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-current={choice.value === now}
          className={choice.isDangerous ? 'danger' : undefined}
          onClick={() => onChoose(choice.value)}
        >
          <Check className="menu-check" size={14} aria-hidden="true" />
          {choice.words} {choice.hint !== undefined && <span className="quiet">{choice.hint}</span>}
        </button>
      ))}
    </PopupMenu>
  );
}
