import { useEffect, useRef } from 'react';
import { optionId, type PaletteGroup, type PaletteItem } from './items.ts';
import { PaletteOption } from './palette-option.tsx';

interface PaletteListProps {
  readonly groups: readonly PaletteGroup[];
  readonly active: string | undefined;
  readonly onRun: (item: PaletteItem) => void;
}

export function PaletteList({ groups, active, onRun }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== undefined) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id="palette-list" className="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
      {groups.length === 0 && <p className="palette-empty">No matches</p>}
      {groups.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
        <div key={title} role="group" aria-label={title} className="palette-group">
          <p className="palette-head" aria-hidden="true">
            {title}
          </p>
          {items.map((item) => (
            <PaletteOption key={item.key} item={item} isActive={item.key === active} onRun={() => onRun(item)} />
          ))}
        </div>
      ))}
    </div>
  );
}
