import { Activity } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazily } from '../../base/browser/lazily.ts';
import { ContextMeter } from '../../base/ui/context-meter.tsx';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import { ContextBreakdown } from './context-breakdown.tsx';
import { HealthSpark } from './health-spark.tsx';

const HandoverDialog = lazily(() => import('../dialogs/handover-dialog.tsx'));
const HealthPanel = lazily(() => import('./health-panel.tsx'));

/** How full the agent's context is, in the session's header; opens the reasons and the remedies. */
export function HealthMeter({ sessionId }: { readonly sessionId: string }) {
  const [isHandingOver, setHandingOver] = useState(false);
  const context = useApp((state) => state.sessions.get(sessionId)?.context);
  const brief = useApp((state) => state.sessions.get(sessionId)?.health);
  const tokens = context?.tokens ?? brief?.now;
  const window = context?.window ?? brief?.windowTokens;
  const share = tokens === undefined || window === undefined ? undefined : Math.round((100 * tokens) / Math.max(1, window));
  return (
    <>
      <PopupMenu
        label={share === undefined ? 'Health' : `Health: ${share} % of context used`}
        className="health-button"
        trigger={
          <>
            {brief !== undefined && <HealthSpark brief={brief} />}
            {brief === undefined && tokens !== undefined && window !== undefined && <ContextMeter tokens={tokens} window={window} />}
            {brief === undefined && tokens === undefined && <Activity size={16} aria-hidden="true" />}
            <span className="head-share">{share === undefined ? 'Health' : `${share} % context`}</span>
          </>
        }
      >
        <ContextBreakdown sessionId={sessionId} />
        <Suspense>
          <HealthPanel sessionId={sessionId} onHandOver={() => setHandingOver(true)} />
        </Suspense>
      </PopupMenu>
      {isHandingOver && (
        <Suspense>
          <HandoverDialog sessionId={sessionId} onClose={() => setHandingOver(false)} />
        </Suspense>
      )}
    </>
  );
}
