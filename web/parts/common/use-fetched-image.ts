import { useEffect, useState } from 'react';
import { fetchWithKey } from '../../client/http/key.ts';

/** An image of the server as an address of this page: an image element cannot show a key. Undefined until it is there. */
export function useFetchedImage(path: string): string | undefined {
  const [image, setImage] = useState<{ readonly path: string; readonly src: string }>();
  useEffect(() => {
    const stop = new AbortController();
    let made: string | undefined;
    fetchWithKey(document.baseURI, path, { signal: stop.signal })
      .then((response) => (response.ok ? response.blob() : undefined))
      .then((blob) => {
        if (blob === undefined || stop.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setImage({ path, src: made });
      })
      // Its words stay in its place.
      .catch(() => undefined);
    return () => {
      stop.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [path]);
  return image?.path === path ? image.src : undefined;
}
