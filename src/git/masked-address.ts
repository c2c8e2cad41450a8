/** An address without a password in it; the user name alone stays. */
export const maskedAddress = (address: string): string =>
  address.replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/@\s]+)@/i, (_, scheme: string, user: string) => {
    const [name = '', password] = user.split(':', 2);
    // A token is often used as the user name alone.
    const shown = password === undefined && name.length > 20 ? '…' : name;
    return `${scheme}${shown}${password === undefined ? '' : ':…'}@`;
  });
