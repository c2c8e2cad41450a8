import { createContext, useContext } from 'react';
import type { Session } from '../../../src/protocol/session.ts';

/** Asks which session, and does this with it. */
export interface SessionWish {
  readonly title: string;
  readonly onChoose: (session: Session) => void;
}

export interface ShellDoors {
  readonly openNewSession: () => void;
  readonly openPalette: () => void;
  readonly openKeys: () => void;
  readonly chooseSession: (wish: SessionWish) => void;
}

const nowhere = () => undefined;

export const ShellContext = createContext<ShellDoors>({ openNewSession: nowhere, openPalette: nowhere, openKeys: nowhere, chooseSession: nowhere });

export const useShell = (): ShellDoors => useContext(ShellContext);
