import type { ToolItem } from '../../src/domain/transcript/item.ts';
import type { ToolKind } from '../../src/domain/transcript/tool-kind.ts';
import { DiffCount } from '../diff/diff-count.tsx';
import type { DiffLine } from '../diff/patch.ts';
import { countText, durationText } from '../ui/words.ts';

interface ToolOutcomeProps {
  readonly item: ToolItem;
  readonly kind: ToolKind;
  readonly diff: readonly DiffLine[] | undefined;
}

/** Shorter calls need no time beside them. */
const WORTH_TELLING_MS = 2000;

/** The right end of the line: how it went, in two or three words. */
export function ToolOutcome({ item, kind, diff }: ToolOutcomeProps) {
  const { completed } = item;
  if (item.writing) return null;
  if (completed === undefined && item.waitsFor !== undefined) return <span className="tool-outcome waiting">waits for you</span>;
  if (completed === undefined) return <span className="tool-outcome running">{item.task?.status ?? 'running'}</span>;
  if (diff !== undefined && diff.length > 0) return <DiffCount lines={diff} />;
  const words = [completed.isError ? (completed.closedBy ?? 'failed') : sizeText(kind, completed.output), tookText(item)].filter((word) => word !== '');
  return <span className={completed.isError ? 'tool-outcome failed' : 'tool-outcome'}>{words.join(', ')}</span>;
}

function sizeText(kind: ToolKind, output: string): string {
  if (output === '' || (kind !== 'read' && kind !== 'search')) return '';
  return countText(output.replace(/\n$/, '').split('\n').length, 'line');
}

function tookText({ started, completed }: ToolItem): string {
  if (started === undefined || completed === undefined || started.atKnown === false || completed.atKnown === false) return '';
  const ms = Date.parse(completed.at) - Date.parse(started.at);
  return ms >= WORTH_TELLING_MS ? durationText(ms) : '';
}
