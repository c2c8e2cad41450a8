import { useMemo } from 'react';
import type { ToolItem } from '../../../../src/domain/transcript/item.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { ansiLines } from '../content/ansi.ts';
import { AnsiText } from '../content/ansi-text.tsx';

/** Enough of the end to see what went wrong. */
const SHOWN_LINES = 4;

/** Shows why a call failed without opening it. */
export function ToolErrorPreview({ item }: { readonly item: ToolItem }) {
  const isOpen = useApp((state) => state.expanded.get(item.key) === true);
  const output = item.completed?.isError === true ? item.completed.output.trim() : '';
  return isOpen || output === '' ? null : <LastLines output={output} />;
}

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
