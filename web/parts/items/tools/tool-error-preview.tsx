import { useMemo } from 'react';
import type { ToolItem } from '../../../../src/domain/transcript/item.ts';
import { callOutcome } from '../../../../src/domain/transcript/outcomes.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { ansiLines } from '../content/ansi.ts';
import { AnsiText } from '../content/ansi-text.tsx';

/** Enough of the end to see what went wrong. */
const SHOWN_LINES = 4;

/** Shows why a call failed without opening it. */
export function ToolErrorPreview({ item }: { readonly item: ToolItem }) {
  const isOpen = useApp((state) => state.expanded.get(item.key) === true);
  const output = showsReason(item) ? (item.completed?.output.trim() ?? '') : '';
  return isOpen || output === '' ? null : <LastLines output={output} />;
}

/** A person's reason is below the call; an agent's own refusal is only in the output. */
const showsReason = (item: ToolItem): boolean => callOutcome(item) === 'failed' || item.denied === 'byAgent';

function LastLines({ output }: { readonly output: string }) {
  const lines = useMemo(() => ansiLines(output).slice(-SHOWN_LINES), [output]);
  return (
    <div className="tool-output">
      <pre>
        <AnsiText lines={lines} />
      </pre>
    </div>
  );
}
