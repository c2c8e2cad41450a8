import { createContext, useContext } from 'react';
import type { Session } from '../../../src/protocol/session.ts';

/** Lets the user choose a session. */
export interface SessionChoice {
  readonly title: string;
  readonly onChoose: (session: Session) => void;
}

export interface ShellActions {
  readonly openNewSession: () => void;
  readonly openPalette: () => void;
  readonly openKeys: () => void;
  readonly chooseSession: (choice: SessionChoice) => void;
}

const nothing = () => undefined;

export const ShellContext = createContext<ShellActions>({ openNewSession: nothing, openPalette: nothing, openKeys: nothing, chooseSession: nothing });

export const useShell = (): ShellActions => useContext(ShellContext);
