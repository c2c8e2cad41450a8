import { type AttachmentStore, Attachments, NOTHING } from './attachments.ts';
import { done } from './indexed-outbox.ts';

const STORE = 'attachments';

/** In a database of their own: pictures are too large for the storage of drafts. */
export async function indexedAttachments(name = 'signalbox-attachments'): Promise<AttachmentStore> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await done(request);
  const store = (mode: IDBTransactionMode) => database.transaction(STORE, mode).objectStore(STORE);
  return {
    async get(sessionId) {
      const read = Attachments.safeParse(await done(store('readonly').get(sessionId)));
      return read.success ? read.data : NOTHING;
    },
    async put(sessionId, attachments) {
      const isEmpty = attachments.pictures.length + attachments.context.length === 0;
      if (isEmpty) await done(store('readwrite').delete(sessionId));
      else await done(store('readwrite').put(attachments, sessionId));
    },
  };
}
