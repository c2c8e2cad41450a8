import { type AttachmentStore, Attachments, NOTHING } from './attachments.ts';
import { done, written } from './indexed.ts';

const STORE = 'attachments';

/** In a database of their own: pictures are too large for the storage of drafts. */
export async function indexedAttachments(name = 'signalbox-attachments'): Promise<AttachmentStore> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await done(request);
  const read = async (key: IDBValidKey) => Attachments.safeParse(await done(database.transaction(STORE, 'readonly').objectStore(STORE).get(key))).data;
  return {
    // An earlier release kept them without saying whose they are: whoever opens the session takes them up.
    get: async (who, sessionId) => (await read([who, sessionId])) ?? (await read(sessionId)) ?? NOTHING,
    put: (who, sessionId, attachments) =>
      written(database.transaction(STORE, 'readwrite'), STORE, (store) => {
        store.delete(sessionId);
        const isEmpty = attachments.pictures.length + attachments.context.length === 0;
        return isEmpty ? store.delete([who, sessionId]) : store.put(attachments, [who, sessionId]);
      }),
  };
}
