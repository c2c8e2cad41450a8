import { type KeyboardEvent, useState } from 'react';
import { useApp } from '../app/cockpit-context.ts';
import { CodeWords } from '../ui/code-words.tsx';
import type { FaceProps } from './answer-form.tsx';
import { type RememberOption, rememberOptions } from './remember-options.ts';
import { useProposals } from './use-proposals.ts';

const SCOPES = ['session', 'project', 'everywhere'] as const;
type Scope = (typeof SCOPES)[number];

/** Allows, and says what need not be asked again, and where. */
export function RememberForm({ request, onVerdict, onFace }: FaceProps) {
  const { requestId, sessionId } = request;
  const proposals = useProposals(requestId);
  const project = useApp((state) => state.sessions.get(sessionId)?.project ?? 'this project');
  const [key, setKey] = useState<string>();
  const [scope, setScope] = useState<Scope>('session');
  if (proposals === undefined) return <p className="quiet">Looking at what it could be remembered as…</p>;
  const options = rememberOptions(request, proposals);
  const chosen = options.find((option) => option.key === key) ?? options[0];
  if (chosen === undefined) return <CannotRemember why={proposals.cannot} onBack={() => onFace('choice')} />;
  const scopes = scopesOf(chosen);
  const held = scopes.includes(scope) ? scope : 'session';
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onFace('choice');
  };
  return (
    <form className="remember-form" action={() => onVerdict({ behavior: 'allow', remember: { scope: held, ...chosen.remember } })} onKeyDown={onKey}>
      <fieldset>
        <legend>Do not ask again about</legend>
        {proposals.cannot !== undefined && <p className="request-note">{proposals.cannot}</p>}
        {options.map((option) => (
          <OptionLine key={option.key} option={option} isChosen={option === chosen} onChoose={() => setKey(option.key)} />
        ))}
      </fieldset>
      <fieldset>
        <legend>Where</legend>
        {scopes.map((each) => (
          <label key={each} className="choice">
            <input type="radio" name={`scope ${requestId}`} checked={each === held} onChange={() => setScope(each)} />
            {scopeText(each, chosen, project)}
          </label>
        ))}
      </fieldset>
      <div className="answer-buttons">
        <button type="submit" className="button primary">
          Allow and remember
        </button>
        <button type="button" className="button plain" onClick={() => onFace('choice')}>
          Back
        </button>
      </div>
    </form>
  );
}

interface CannotRememberProps {
  readonly why: string | undefined;
  readonly onBack: () => void;
}

/** Some calls cannot be told from dangerous ones: those are asked about every time. */
function CannotRemember({ why, onBack }: CannotRememberProps) {
  return (
    <>
      <p className="request-note">{why ?? 'This cannot be remembered.'}</p>
      <div className="answer-buttons">
        {/* biome-ignore lint/a11y/noAutofocus: the person has just opened this choice */}
        <button type="button" className="button" autoFocus onClick={onBack}>
          Back
        </button>
      </div>
    </>
  );
}

interface OptionLineProps {
  readonly option: RememberOption;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function OptionLine({ option, isChosen, onChoose }: OptionLineProps) {
  return (
    <label className="choice">
      {/* biome-ignore lint/a11y/noAutofocus: the person has just opened this choice */}
      <input type="radio" autoFocus={isChosen} checked={isChosen} onChange={onChoose} />
      <span>
        <CodeWords text={option.words} />
        {option.isAgents && <span className="quiet"> (the agent’s own suggestion)</span>}
        {option.reachesFar !== undefined && <span className="wide-note">{option.reachesFar}</span>}
      </span>
    </label>
  );
}

/** What the agent keeps itself can be held to the session, or be kept as it proposes. */
const scopesOf = ({ reach }: RememberOption): readonly Scope[] =>
  reach === undefined ? SCOPES : SCOPES.filter((scope) => scope === 'session' || scope === reach);

function scopeText(scope: Scope, { isAgents }: RememberOption, project: string): string {
  if (scope === 'session') return 'In this session only';
  const where = scope === 'project' ? `In ${project} and everything below it` : 'Everywhere on this server';
  return isAgents ? `${where}, kept in the agent’s own settings` : where;
}
