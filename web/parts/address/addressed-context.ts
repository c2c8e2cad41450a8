import { createContext, useContext } from 'react';

/** Whether the page's address belongs to this session. With several side by side it belongs to none. */
export const AddressedContext = createContext(true);

export const useIsAddressed = (): boolean => useContext(AddressedContext);
