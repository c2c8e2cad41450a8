import { type RefObject, useRef, useState } from 'react';
import type { ImageRef } from '../../../../src/protocol/event.ts';
import { useFetchedImage } from '../../common/use-fetched-image.ts';

interface PicturesProps {
  readonly images: readonly ImageRef[];
  readonly label: string;
}

/** Pictures as they were sent or returned; a click enlarges one to the window. */
export function Pictures({ images, label }: PicturesProps) {
  const { dialog, shown, enlarge } = useEnlarged();
  if (images.length === 0) return null;
  const altOf = (image: ImageRef, at: number) =>
    `${label}${images.length > 1 ? ` ${at + 1} of ${images.length}` : ''}: ${kindOf(image)}, ${Math.ceil(image.bytes / 1024)} kB`;
  return (
    <div className="pictures">
      {images.map((image, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may appear twice, and the list never changes
        <Picture key={`${image.sha256}:${at}`} path={`api/blobs/${image.sha256}`} alt={altOf(image, at)} onEnlarge={enlarge} />
      ))}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself */}
      <dialog ref={dialog} className="enlarged" aria-label={shown?.alt ?? label} onClick={(event) => event.currentTarget.close()}>
        {shown !== undefined && <img src={shown.src} alt={shown.alt} />}
      </dialog>
    </div>
  );
}

interface Shown {
  readonly src: string;
  readonly alt: string;
}

interface Enlarged {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly shown: Shown | undefined;
  enlarge(picture: Shown): void;
}

function useEnlarged(): Enlarged {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<Shown>();
  const enlarge = (picture: Shown) => {
    setShown(picture);
    dialog.current?.showModal();
  };
  return { dialog, shown, enlarge };
}

interface PictureProps {
  readonly path: string;
  readonly alt: string;
  readonly onEnlarge: (picture: Shown) => void;
}

function Picture({ path, alt, onEnlarge }: PictureProps) {
  const src = useFetchedImage(path);
  return (
    <button type="button" className="picture" onClick={() => src !== undefined && onEnlarge({ src, alt })}>
      {src === undefined ? <span className="quiet">{alt}</span> : <img src={src} alt={alt} />}
    </button>
  );
}

const kindOf = (image: ImageRef): string => image.mediaType.replace('image/', '').toUpperCase();
