import { FileText, ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { ACCEPTED } from './read-pictures.ts';

interface AttachButtonsProps {
  /** Unset when the agent takes no pictures. */
  readonly onPictures?: (files: readonly File[]) => void;
  readonly isPointing: boolean;
  readonly onPoint: () => void;
}

export function AttachButtons({ onPictures, isPointing, onPoint }: AttachButtonsProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <span className="attach-buttons">
      {onPictures !== undefined && (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label="Add pictures"
            title="Add pictures (or paste, or drop them)"
            onClick={() => picker.current?.click()}
          >
            <ImagePlus size={17} aria-hidden="true" />
          </button>
          <input
            ref={picker}
            type="file"
            hidden
            multiple
            accept={ACCEPTED}
            onChange={(event) => {
              onPictures([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
        </>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Point at a file"
        title="Point at a file or lines of it"
        aria-expanded={isPointing}
        onClick={onPoint}
      >
        <FileText size={17} aria-hidden="true" />
      </button>
    </span>
  );
}
