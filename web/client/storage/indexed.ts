export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Changes a store and resolves when the transaction has ended well: a request that succeeded may still be undone, as when the disk is full. */
export function written(transaction: IDBTransaction, store: string, change: (store: IDBObjectStore) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser undid the write'));
    change(transaction.objectStore(store));
  });
}
