import { type KeyboardEvent, useEffect } from 'react';
import type { Remember } from '../../../../src/protocol/rule.ts';
import { InlineCode } from '../../../base/ui/inline-code.tsx';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { firstScope, type RememberOption, rememberOptions, scopesOf, whyScopeRefused } from './remember-options.ts';
import { useProposals } from './use-proposals.ts';

type Scope = Remember['scope'];

/** Allows, and creates a rule so that it isn't asked again. */
export function RememberForm({ request, onVerdict, onView, draft: { option: key, scope: chosenScope }, onDraft, isJustOpened }: AnswerViewProps) {
  const { requestId, sessionId } = request;
  const cockpit = useCockpit();
  const role = useApp((state) => state.role);
  useEffect(() => void cockpit.loadRole(), [cockpit]);
  const proposals = useProposals(requestId);
  const project = useApp((state) => state.sessions.get(sessionId)?.project);
  const agent = useApp((state) => state.agents?.find(({ id }) => id === state.sessions.get(sessionId)?.agent)?.title) ?? 'the agent';
  if (proposals === undefined) return <p className="quiet">Loading…</p>;
  const options = rememberOptions(request, proposals);
  const chosen = options.find((option) => option.key === key) ?? options[0];
  if (chosen === undefined) return <CannotRemember why={proposals.cannot} onBack={() => onView('choice')} />;
  const scopes = scopesOf(chosen);
  const scope = chosenScope ?? firstScope(chosen, role);
  const allowedScope = scopes.includes(scope) && whyScopeRefused(scope, role) === undefined ? scope : 'session';
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onView('choice');
  };
  return (
    <form className="remember-form" action={() => onVerdict({ behavior: 'allow', remember: { scope: allowedScope, ...chosen.remember } })} onKeyDown={onKey}>
      <fieldset>
        <legend>Don’t ask again about</legend>
        {proposals.cannot !== undefined && <Cannot why={proposals.cannot} />}
        {options.map((option) => (
          <OptionLine
            key={option.key}
            option={option}
            agent={agent}
            isChosen={option === chosen}
            isFocused={isJustOpened && option === chosen}
            onChoose={() => onDraft({ option: option.key })}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>Where</legend>
        {scopes.map((each) => (
          <ScopeLine
            key={each}
            group={`scope ${requestId}`}
            label={scopeText(each, chosen, project ?? 'this project')}
            whyNot={whyScopeRefused(each, role)}
            isChosen={each === allowedScope}
            onChoose={() => onDraft({ scope: each })}
          />
        ))}
      </fieldset>
      <div className="answer-buttons">
        <button type="submit" className="button primary">
          Allow and remember
        </button>
        <button type="button" className="button plain" onClick={() => onView('choice')}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface CannotRememberProps {
  readonly why: string | undefined;
  readonly onBack: () => void;
}

/** Some calls can't be told apart from dangerous ones: Signalbox asks every time. */
function CannotRemember({ why, onBack }: CannotRememberProps) {
  return (
    <>
      <Cannot why={why ?? 'This can’t be made a rule.'} />
      <div className="answer-buttons">
        {/* biome-ignore lint/a11y/noAutofocus: the person has just opened this choice */}
        <button type="button" className="button" autoFocus onClick={onBack}>
          Cancel
        </button>
      </div>
    </>
  );
}

const Cannot = ({ why }: { readonly why: string }) => (
  <p className="request-note">
    <VisibleText text={why} />
  </p>
);

interface OptionLineProps {
  readonly option: RememberOption;
  /** The agent's name. */
  readonly agent: string;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
  readonly onChoose: () => void;
}

function OptionLine({ option, agent, isChosen, isFocused, onChoose }: OptionLineProps) {
  return (
    <label className="choice">
      {/* biome-ignore lint/a11y/noAutofocus: the person has just opened this choice */}
      <input type="radio" autoFocus={isFocused} checked={isChosen} onChange={onChoose} />
      <span>
        <InlineCode text={option.text} />
        {option.isAgents && <span className="quiet"> (suggested by {agent})</span>}
        {option.broader !== undefined && <span className="wide-note">{option.broader}</span>}
      </span>
    </label>
  );
}

interface ScopeLineProps {
  readonly group: string;
  readonly label: string;
  readonly whyNot: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ScopeLine({ group, label, whyNot, isChosen, onChoose }: ScopeLineProps) {
  return (
    <label className="choice">
      <input type="radio" name={group} checked={isChosen} disabled={whyNot !== undefined} onChange={onChoose} />
      <span>
        <VisibleLine text={label} />
        {whyNot !== undefined && <span className="quiet">{`: ${whyNot}`}</span>}
      </span>
    </label>
  );
}

function scopeText(scope: Scope, { isAgents }: RememberOption, project: string): string {
  if (scope === 'session') return 'In this session only';
  const where = scope === 'project' ? `In ${project} and its subfolders` : 'Everywhere on this server';
  return isAgents ? `${where}, saved in the agent’s own settings` : where;
}
