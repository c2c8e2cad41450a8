import { costText, durationText, wholeSeconds } from '../../../../base/text/format.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { useApp } from '../../../../store/cockpit-context.ts';
import type { StepView } from './step-view.ts';

/** State, agent, cost and time in one line. */
export function StepFacts({ step }: { readonly step: StepView }) {
  const { sign, by, usd, ms, runningSince, attempts } = step;
  return (
    <p className="step-facts">
      <span className="step-word">{sign.word}</span>
      <span className="step-by">
        <VisibleLine text={by} />
      </span>
      {attempts > 1 && <span title={`Attempt ${attempts}`}>×{attempts}</span>}
      {usd !== undefined && usd > 0 && <span className="step-cost">{costText(usd)}</span>}
      {runningSince !== undefined ? <RunningTime before={ms} since={runningSince} /> : ms > 0 && <span>{durationText(ms)}</span>}
    </p>
  );
}

/** Counts while the step runs. */
function RunningTime({ before, since }: { readonly before: number; readonly since: number }) {
  const seconds = useApp((state) => Math.max(0, Math.floor((before + state.now - since) / 1000)));
  return <span className="step-time">{wholeSeconds(seconds)}</span>;
}
