import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { chooseTheme, nextTheme, storedTheme } from './theme.ts';

const ICONS = { system: Monitor, dark: Moon, light: Sun } as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => storedTheme(localStorage));
  const Icon = ICONS[theme];
  const turn = () => {
    const next = nextTheme(theme);
    chooseTheme(document.documentElement, localStorage, next);
    setTheme(next);
  };
  return (
    <button type="button" className="rail-link" aria-label={`Theme: ${theme}. Change it`} title={`Theme: ${theme}`} onClick={turn}>
      <Icon size={18} aria-hidden="true" />
    </button>
  );
}
