import { useState } from 'react';
import * as z from 'zod/mini';
import type { GateOutcome, GateWhy } from '../../../src/protocol/plan.ts';
import { useFormDraft } from '../common/use-form-draft.ts';

/** What a person decides at a gate. */
export interface GateAnswer {
  readonly outcome: GateOutcome;
  /** With `back`: the step that is done again. */
  readonly to?: string;
  readonly words?: string;
}

interface GateFormProps {
  /** Names the unfinished words. */
  readonly gateId: string;
  readonly why: GateWhy;
  /** Steps that it can be sent back to, nearest first. */
  readonly backTo: readonly StepChoice[];
  /** Throws the server's message if it refuses. */
  readonly onDecide: (answer: GateAnswer) => Promise<void>;
}

interface StepChoice {
  readonly id: string;
  readonly title: string;
}

const GO_LABELS: Readonly<Record<GateWhy, string>> = {
  gate: 'Continue',
  verify: 'Accept anyway',
  merge: 'Merge again',
  time: '30 more minutes',
  deaths: 'Try again',
  start: 'Try again',
};

const Words = z.string();

/** Continue, send back with a comment, or stop the plan. */
export function GateForm({ gateId, why, backTo, onDecide }: GateFormProps) {
  const [words, setWords] = useFormDraft(`gate:${gateId}`, Words, '');
  const [isGoingBack, setGoingBack] = useState(words !== '');
  const [to, setTo] = useState(backTo[0]?.id ?? '');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const decide = async (answer: GateAnswer) => {
    setSending(true);
    setProblem('');
    try {
      await onDecide(answer);
      setWords('');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  const spoken = words.trim() === '' ? {} : { words };
  return (
    <div className="gate-form">
      {isGoingBack && (
        <>
          {backTo.length > 1 && (
            <label className="field">
              <span>Send back to</span>
              <select value={to} onChange={(event) => setTo(event.target.value)}>
                {backTo.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label className="field">
            <span>What should change</span>
            {/* biome-ignore lint/a11y/noAutofocus: the person has just asked for this */}
            <textarea rows={3} autoFocus value={words} onChange={(event) => setWords(event.target.value)} />
          </label>
        </>
      )}
      {problem !== '' && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="answer-buttons">
        {isGoingBack ? (
          <>
            <button
              type="button"
              className="button primary"
              disabled={isSending || words.trim() === ''}
              onClick={() => void decide({ outcome: 'back', to, ...spoken })}
            >
              Send back
            </button>
            <button type="button" className="button plain" onClick={() => setGoingBack(false)}>
              Cancel
            </button>
          </>
        ) : (
          <>
            <button type="button" className="button primary" disabled={isSending} onClick={() => void decide({ outcome: 'go' })}>
              {GO_LABELS[why]}
            </button>
            {backTo.length > 0 && (
              <button type="button" className="button" onClick={() => setGoingBack(true)}>
                Send back…
              </button>
            )}
            <button type="button" className="button" disabled={isSending} onClick={() => void decide({ outcome: 'stop' })}>
              Stop the plan
            </button>
          </>
        )}
      </div>
    </div>
  );
}
