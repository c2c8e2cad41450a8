import { AsyncLocalStorage } from 'node:async_hooks';
import type { Identity } from './tokens.ts';

/** Somebody who signed in at another machine of the cluster. */
export interface VouchedSender {
  readonly identity: Identity;
  readonly from: string;
}

/** Known to the request that runs inside, and to nothing that a client sends: no header or cookie can set it. */
const senders = new AsyncLocalStorage<VouchedSender>();

export const asVouched = <T>(sender: VouchedSender, work: () => T): T => senders.run(sender, work);

export const vouchedSender = (): VouchedSender | undefined => senders.getStore();
