import { createContext, useContext } from 'react';

/** Whether the first picture of a transcript has been drawn: it has only what somebody came to read. */
export const CalmContext = createContext(true);

export const useIsCalm = (): boolean => useContext(CalmContext);
