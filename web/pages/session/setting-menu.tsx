import { Check, ChevronDown } from 'lucide-react';
import type { RequestedSetting } from '../../../src/domain/transcript/item.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly isDangerous?: boolean;
}

interface SettingMenuProps {
  readonly title: string;
  readonly now: string | undefined;
  readonly textOf: (value: string) => string;
  readonly choices: readonly Choice[];
  readonly requested: RequestedSetting | undefined;
  /** Without a process the agent can't confirm: the change applies when it wakes. */
  readonly isAsleep: boolean;
  readonly isDangerous?: boolean;
  readonly onChoose: (value: string) => void;
}

/** One setting as the agent reports it, plus a requested change until the agent confirms it. */
export function SettingMenu({ title, now, textOf, choices, requested, isAsleep, isDangerous = false, onChoose }: SettingMenuProps) {
  const requestedText = requested === undefined || requested.refused !== undefined || requested.value === now ? undefined : textOf(requested.value);
  const trigger = (
    <>
      <span className="chip-text">{now === undefined ? `${title}: default` : textOf(now)}</span>
      {requestedText !== undefined && (
        <span className="chip-asked">
          → {requestedText}
          {isAsleep ? ' on wake' : '…'}
        </span>
      )}
      <ChevronDown size={12} aria-hidden="true" />
    </>
  );
  const label = `${title}: ${now === undefined ? 'default' : textOf(now)}${requestedText === undefined ? '' : `, changing to ${requestedText}`}`;
  return (
    <PopupMenu label={label} className={isDangerous ? 'chip setting danger' : 'chip setting'} trigger={trigger}>
      <p className="menu-title">{title}</p>
      {requested?.refused !== undefined && (
        <p className="menu-problem">
          Not changed to {textOf(requested.value)}: {requested.refused}
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
          {choice.label} {choice.hint !== undefined && <span className="quiet">{choice.hint}</span>}
        </button>
      ))}
    </PopupMenu>
  );
}
