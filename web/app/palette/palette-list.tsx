import { useEffect, useRef } from 'react';
import { idOf } from './id-of.ts';
import type { PaletteGroup, PaletteItem } from './items.ts';
import { PaletteLine } from './palette-line.tsx';

interface PaletteListProps {
  readonly groups: readonly PaletteGroup[];
  readonly active: string | undefined;
  readonly onTake: (item: PaletteItem) => void;
}

export function PaletteList({ groups, active, onTake }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== undefined) document.getElementById(idOf(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id="palette-list" className="palette-list" role="listbox" aria-label="What fits" tabIndex={-1}>
      {groups.length === 0 && <p className="palette-empty">Nothing fits. Fewer letters find more.</p>}
      {groups.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox
        <div key={title} role="group" aria-label={title} className="palette-group">
          <p className="palette-head" aria-hidden="true">
            {title}
          </p>
          {items.map((item) => (
            <PaletteLine key={item.key} item={item} isActive={item.key === active} onTake={() => onTake(item)} />
          ))}
        </div>
      ))}
    </div>
  );
}
