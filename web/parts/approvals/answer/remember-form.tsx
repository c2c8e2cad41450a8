import { type KeyboardEvent, useEffect } from 'react';
import { CodeWords } from '../../../base/ui/code-words.tsx';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { RememberScope } from './answer-draft.ts';
import type { FaceProps } from './answer-form.tsx';
import { type RememberOption, rememberOptions, whyNotKept } from './remember-options.ts';
import { useProposals } from './use-proposals.ts';

const SCOPES = RememberScope.options;
type Scope = (typeof SCOPES)[number];

/** Allows, and says what need not be asked again, and where. */
export function RememberForm({ request, onVerdict, onFace, draft: { option: key, scope = 'session' }, onDraft, isTurned }: FaceProps) {
  const { requestId, sessionId } = request;
  const cockpit = useCockpit();
  const role = useApp((state) => state.role);
  useEffect(() => void cockpit.loadRole(), [cockpit]);
  const proposals = useProposals(requestId);
  const project = useApp((state) => state.sessions.get(sessionId)?.project ?? 'this project');
  if (proposals === undefined) return <p className="quiet">Looking at what it could be remembered as…</p>;
  const options = rememberOptions(request, proposals);
  const chosen = options.find((option) => option.key === key) ?? options[0];
  if (chosen === undefined) return <CannotRemember why={proposals.cannot} onBack={() => onFace('choice')} />;
  const scopes = scopesOf(chosen);
  const held = scopes.includes(scope) && whyNotKept(scope, role) === undefined ? scope : 'session';
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onFace('choice');
  };
  return (
    <form className="remember-form" action={() => onVerdict({ behavior: 'allow', remember: { scope: held, ...chosen.remember } })} onKeyDown={onKey}>
      <fieldset>
        <legend>Do not ask again about</legend>
        {proposals.cannot !== undefined && <Cannot why={proposals.cannot} />}
        {options.map((option) => (
          <OptionLine
            key={option.key}
            option={option}
            isChosen={option === chosen}
            isFocused={isTurned && option === chosen}
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
            words={scopeText(each, chosen, project)}
            whyNot={whyNotKept(each, role)}
            isChosen={each === held}
            onChoose={() => onDraft({ scope: each })}
          />
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
      <Cannot why={why ?? 'This cannot be remembered.'} />
      <div className="answer-buttons">
        {/* biome-ignore lint/a11y/noAutofocus: the person has just opened this choice */}
        <button type="button" className="button" autoFocus onClick={onBack}>
          Back
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
  readonly isChosen: boolean;
  readonly isFocused: boolean;
  readonly onChoose: () => void;
}

function OptionLine({ option, isChosen, isFocused, onChoose }: OptionLineProps) {
  return (
    <label className="choice">
      {/* biome-ignore lint/a11y/noAutofocus: the person has just opened this choice */}
      <input type="radio" autoFocus={isFocused} checked={isChosen} onChange={onChoose} />
      <span>
        <CodeWords text={option.words} />
        {option.isAgents && <span className="quiet"> (the agent’s own suggestion)</span>}
        {option.reachesFar !== undefined && <span className="wide-note">{option.reachesFar}</span>}
      </span>
    </label>
  );
}

interface ScopeLineProps {
  readonly group: string;
  readonly words: string;
  readonly whyNot: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ScopeLine({ group, words, whyNot, isChosen, onChoose }: ScopeLineProps) {
  return (
    <label className="choice">
      <input type="radio" name={group} checked={isChosen} disabled={whyNot !== undefined} onChange={onChoose} />
      <span>
        <VisibleLine text={words} />
        {whyNot !== undefined && <span className="quiet">{`: ${whyNot}`}</span>}
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
