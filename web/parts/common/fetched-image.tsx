import { useFetchedImage } from './use-fetched-image.ts';

/** An image from the server; shows its alt text until it has loaded. */
export function FetchedImage({ path, alt }: { readonly path: string; readonly alt: string }) {
  const src = useFetchedImage(path);
  return src === undefined ? <span className="quiet">{alt}</span> : <img src={src} alt={alt} />;
}
