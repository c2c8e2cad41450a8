import { useEffect, useState } from 'react';
import { fetchWithKey } from '../../client/http/key.ts';

/** An image from the server as an object URL, because an image element can't send a key. Undefined until it has loaded. */
export function useFetchedImage(path: string): string | undefined {
  const [image, setImage] = useState<{ readonly path: string; readonly src: string }>();
  useEffect(() => {
    const stop = new AbortController();
    let objectUrl: string | undefined;
    fetchWithKey(document.baseURI, path, { signal: stop.signal })
      .then((response) => (response.ok ? response.blob() : undefined))
      .then((blob) => {
        if (blob === undefined || stop.signal.aborted) return;
        objectUrl = URL.createObjectURL(blob);
        setImage({ path, src: objectUrl });
      })
      // The alt text stays.
      .catch(() => undefined);
    return () => {
      stop.abort();
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [path]);
  return image?.path === path ? image.src : undefined;
}
