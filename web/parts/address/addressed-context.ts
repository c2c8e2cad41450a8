import { createContext, useContext } from 'react';

/** Whether the address of the page is that of this session. Of several side by side it is none's. */
export const AddressedContext = createContext(true);

export const useIsAddressed = (): boolean => useContext(AddressedContext);
