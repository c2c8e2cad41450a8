import { useFetchedImage } from './use-fetched-image.ts';

/** An image of the server; its words stand in its place until it is there. */
export function FetchedImage({ path, alt }: { readonly path: string; readonly alt: string }) {
  const src = useFetchedImage(path);
  return src === undefined ? <span className="quiet">{alt}</span> : <img src={src} alt={alt} />;
}
