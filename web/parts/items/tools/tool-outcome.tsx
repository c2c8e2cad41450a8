import type { ToolItem } from '../../../../src/domain/transcript/item.ts';
import { callOutcome } from '../../../../src/domain/transcript/outcomes.ts';
import type { ToolKind } from '../../../../src/domain/transcript/tool-kind.ts';
import { countText, durationText, wholeSeconds } from '../../../base/text/format.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { activityNow, shownIn } from '../../../store/state/app-state.ts';
import { DiffCount } from '../../diff/diff-count.tsx';
import type { DiffLine } from '../../diff/patch.ts';
import { branchToolCount } from './subagent-branch.ts';

interface ToolOutcomeProps {
  readonly sessionId: string;
  readonly item: ToolItem;
  readonly kind: ToolKind;
  readonly diff: readonly DiffLine[] | undefined;
}

/** Shorter calls show no duration. */
const SHOWN_FROM_MS = 2000;

/** The right end of the line: the call's state or result in two or three words. */
export function ToolOutcome({ sessionId, item, kind, diff }: ToolOutcomeProps) {
  const { completed, toolUseId = '' } = item;
  const tools = useApp((state) => branchToolCount(shownIn(state, sessionId), toolUseId));
  if (item.writing) return null;
  if (completed === undefined && item.waitsFor !== undefined) return <span className="tool-outcome waiting">needs you</span>;
  const steps = tools === 0 ? '' : countText(tools, 'tool');
  if (completed === undefined) return <Running item={item} steps={steps} />;
  if (diff !== undefined && diff.length > 0) return <DiffCount lines={diff} />;
  const outcome = callOutcome(item);
  if (outcome === 'denied') return <span className="tool-outcome">Denied</span>;
  const facts = [outcome === 'done' ? sizeText(kind, completed.output) : (completed.closedBy ?? 'failed'), steps, tookText(item)];
  return <span className={outcome === 'failed' ? 'tool-outcome failed' : 'tool-outcome'}>{facts.filter((fact) => fact !== '').join(', ')}</span>;
}

/** Counts by the page's own clock while connected, so that a running call visibly runs and a lost connection stops the count. */
function Running({ item: { started, task, waitedMs = 0 }, steps }: { readonly item: ToolItem; readonly steps: string }) {
  const seconds = useApp((state) => (started === undefined ? 0 : Math.floor((activityNow(state) - Date.parse(started.at) - waitedMs) / 1000)));
  const duration = started?.atKnown !== false && seconds * 1000 >= SHOWN_FROM_MS ? wholeSeconds(seconds) : '';
  return <span className="tool-outcome running">{[task?.status ?? 'running', steps, duration].filter((fact) => fact !== '').join(', ')}</span>;
}

function sizeText(kind: ToolKind, output: string): string {
  if (output === '' || (kind !== 'read' && kind !== 'search')) return '';
  return countText(output.replace(/\n$/, '').split('\n').length, kind === 'search' ? 'result' : 'line');
}

/** Without the time it waited for a person. */
function tookText({ started, completed, waitedMs = 0 }: ToolItem): string {
  if (started === undefined || completed === undefined || started.atKnown === false || completed.atKnown === false) return '';
  const ms = Date.parse(completed.at) - Date.parse(started.at) - waitedMs;
  return ms >= SHOWN_FROM_MS ? durationText(ms) : '';
}
