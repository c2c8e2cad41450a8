import * as z from 'zod/mini';
import { ResolvedRequest } from './frame.ts';
import { WaitingPermission } from './http.ts';
import { Session } from './session.ts';

/** What other machines keep of a session: enough for lists, the inbox, and to say what was last known. */
export const SharedSession = z.object({
  session: Session,
  waiting: z.array(WaitingPermission),
  /** Its last decisions, so that other pages can say how a request ended. */
  resolved: z.array(ResolvedRequest),
});
export type SharedSession = z.infer<typeof SharedSession>;
