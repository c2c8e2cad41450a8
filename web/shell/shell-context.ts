import { createContext, useContext } from 'react';

export interface ShellDoors {
  readonly openNewSession: () => void;
}

export const ShellContext = createContext<ShellDoors>({ openNewSession: () => undefined });

export const useShell = (): ShellDoors => useContext(ShellContext);
