import type { ToolItem } from '../../../../src/domain/transcript/item.ts';
import type { ToolKind } from '../../../../src/domain/transcript/tool-kind.ts';
import { countText, durationText, wholeSeconds } from '../../../base/words/words.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { heardUntil, shownIn } from '../../../store/state/app-state.ts';
import { DiffCount } from '../../diff/diff-count.tsx';
import type { DiffLine } from '../../diff/patch.ts';
import { branchTools } from './branch-tools.ts';

interface ToolOutcomeProps {
  readonly sessionId: string;
  readonly item: ToolItem;
  readonly kind: ToolKind;
  readonly diff: readonly DiffLine[] | undefined;
}

/** Shorter calls need no time beside them. */
const WORTH_TELLING_MS = 2000;

/** The right end of the line: how it goes or how it went, in two or three words. */
export function ToolOutcome({ sessionId, item, kind, diff }: ToolOutcomeProps) {
  const { completed, toolUseId = '' } = item;
  const tools = useApp((state) => branchTools(shownIn(state, sessionId), toolUseId));
  if (item.writing) return null;
  if (completed === undefined && item.waitsFor !== undefined) return <span className="tool-outcome waiting">waits for you</span>;
  const steps = tools === 0 ? '' : countText(tools, 'tool');
  if (completed === undefined) return <Running item={item} steps={steps} />;
  if (diff !== undefined && diff.length > 0) return <DiffCount lines={diff} />;
  const words = [completed.isError ? (completed.closedBy ?? 'failed') : sizeText(kind, completed.output), steps, tookText(item)];
  return <span className={completed.isError ? 'tool-outcome failed' : 'tool-outcome'}>{words.filter((word) => word !== '').join(', ')}</span>;
}

/** Counted by the page's own clock: what runs must be seen to run, and what nobody hears of any more must not. */
function Running({ item: { started, task }, steps }: { readonly item: ToolItem; readonly steps: string }) {
  const seconds = useApp((state) => (started === undefined ? 0 : Math.floor((heardUntil(state) - Date.parse(started.at)) / 1000)));
  const lasts = started?.atKnown !== false && seconds * 1000 >= WORTH_TELLING_MS ? wholeSeconds(seconds) : '';
  return <span className="tool-outcome running">{[task?.status ?? 'running', steps, lasts].filter((word) => word !== '').join(', ')}</span>;
}

function sizeText(kind: ToolKind, output: string): string {
  if (output === '' || (kind !== 'read' && kind !== 'search')) return '';
  return countText(output.replace(/\n$/, '').split('\n').length, kind === 'search' ? 'result' : 'line');
}

function tookText({ started, completed }: ToolItem): string {
  if (started === undefined || completed === undefined || started.atKnown === false || completed.atKnown === false) return '';
  const ms = Date.parse(completed.at) - Date.parse(started.at);
  return ms >= WORTH_TELLING_MS ? durationText(ms) : '';
}
