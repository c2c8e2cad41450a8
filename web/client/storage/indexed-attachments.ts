import { type AttachmentStore, Attachments, NO_ATTACHMENTS } from './attachments.ts';
import { done, written } from './indexed.ts';

const STORE = 'attachments';

/** In IndexedDB: images are too large for localStorage. */
export async function indexedAttachments(name = 'signalbox-attachments'): Promise<AttachmentStore> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await done(request);
  const read = async (key: IDBValidKey) => Attachments.safeParse(await done(database.transaction(STORE, 'readonly').objectStore(STORE).get(key))).data;
  return {
    // Attachments of an earlier release have no author: the first person who opens the session gets them.
    get: async (who, sessionId) => (await read([who, sessionId])) ?? (await read(sessionId)) ?? NO_ATTACHMENTS,
    put: (who, sessionId, attachments) =>
      written(database.transaction(STORE, 'readwrite'), STORE, (store) => {
        store.delete(sessionId);
        const isEmpty = attachments.pictures.length + attachments.context.length === 0;
        return isEmpty ? store.delete([who, sessionId]) : store.put(attachments, [who, sessionId]);
      }),
  };
}
