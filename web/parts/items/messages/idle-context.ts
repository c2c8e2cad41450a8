import { createContext, useContext } from 'react';

/** Whether the transcript's first paint, which has only the text to read, is done. */
export const IdleContext = createContext(true);

export const useIsIdle = (): boolean => useContext(IdleContext);
