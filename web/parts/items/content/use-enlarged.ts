import { type RefObject, useRef, useState } from 'react';

interface Shown {
  readonly src: string;
  readonly alt: string;
}

interface Enlarged {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly shown: Shown | undefined;
  enlarge(picture: Shown): void;
}

export function useEnlarged(): Enlarged {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<Shown>();
  const enlarge = (picture: Shown) => {
    setShown(picture);
    dialog.current?.showModal();
  };
  return { dialog, shown, enlarge };
}
