/** Whether Cmd is the key that others call Ctrl. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
