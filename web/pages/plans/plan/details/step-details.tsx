import { X } from 'lucide-react';
import type { PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { TextBoundary } from '../../../../base/ui/plain-text.tsx';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import { DownloadLink } from '../../../../parts/common/download-link.tsx';
import { Fold } from '../../../../parts/common/fold.tsx';
import { FullTextLink } from '../../../../parts/common/full-text-link.tsx';
import { Markdown } from '../../../../parts/markdown/markdown.tsx';
import { usePlanPage } from '../steps/plan-context.ts';
import { StepFacts } from '../steps/step-facts.tsx';
import type { StepView } from '../steps/step-view.ts';
import { AttemptList } from './attempt-list.tsx';
import { CheckResult } from './check-result.tsx';
import { Part } from './part.tsx';
import { StepActions } from './step-actions.tsx';
import { StepGate } from './step-gate.tsx';
import { StepLinks } from './step-links.tsx';
import { StepNotes } from './step-notes.tsx';

interface StepDetailsProps {
  readonly node: PlanNodeState;
  readonly view: StepView;
  /** Only drawn: the plan does not have it yet. */
  readonly isNew: boolean;
}

/** Everything about one step: what it does, what came of it, its sessions, and what can be done. */
export function StepDetails({ node, view, isNew }: StepDetailsProps) {
  const { plan, choose } = usePlanPage();
  const last = node.attempts.at(-1);
  const gate = plan.gates.find((one) => one.node === node.id);
  return (
    <section className="step-details" aria-label={`Step ${node.title}`}>
      <header className={`step-details-head state-${view.sign.shape}`}>
        <LampIcon shape={view.sign.shape} />
        <h2>
          <VisibleLine text={node.title} />
        </h2>
        <button type="button" className="icon-button" aria-label="Close the step" onClick={() => choose(undefined)}>
          <X size={16} aria-hidden="true" />
        </button>
        <StepFacts step={view} />
        {view.waits !== undefined && (
          <p className="step-waits">
            <VisibleText text={view.waits} />
          </p>
        )}
      </header>
      {gate !== undefined && <StepGate node={node} gate={gate} />}
      <StepActions node={node} isNew={isNew} />
      {node.summary !== undefined && (
        <Part title="Summary">
          <TextBoundary of={node.summary} text={() => node.summary ?? ''}>
            <Markdown text={node.summary} />
          </TextBoundary>
        </Part>
      )}
      {last?.artifact !== undefined && (
        <Part title="Artifact">
          <DownloadLink path={`api/plans/${plan.id}/nodes/${node.id}/artifact`}>Download</DownloadLink>
        </Part>
      )}
      {(last?.conflicts?.length ?? 0) > 0 && (
        <Part title="Conflicts with the plan’s branch">
          <ul className="loss-list mono">
            {last?.conflicts?.map((path) => (
              <li key={path}>
                <VisibleLine text={path} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <CheckResult node={node} />
      <AttemptList node={node} />
      <StepLinks node={node} />
      {gate?.why !== 'gate' && <Prompt node={node} />}
      {!isNew && <StepNotes key={node.id} node={node} />}
    </section>
  );
}

/** A prompt this short is shown at once. */
const SHORT = 400;

function Prompt({ node: { id, kind = 'work', prompt, promptBlob } }: { readonly node: PlanNodeState }) {
  const { plan } = usePlanPage();
  const text = (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="step-text" tabIndex={0}>
        <VisibleText text={prompt} />
      </pre>
      <FullTextLink blob={promptBlob} />
    </>
  );
  return (
    <Part title={PROMPTS[kind]}>
      {prompt.length < SHORT ? (
        text
      ) : (
        <Fold foldKey={`plan:${plan.id}:${id}:prompt`} label={<span className="quiet">{firstLine(prompt)}</span>}>
          {text}
        </Fold>
      )}
    </Part>
  );
}

const PROMPTS = { work: 'Prompt', command: 'Command', gate: 'Question' } as const;

const firstLine = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
};
