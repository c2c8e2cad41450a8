import { FileText, ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { ACCEPTED } from './read-pictures.ts';

interface AttachButtonsProps {
  /** Unset when the agent doesn't support pictures. */
  readonly onPictures?: (files: readonly File[]) => void;
  readonly isAttachingFile: boolean;
  readonly onAttachFile: () => void;
}

export function AttachButtons({ onPictures, isAttachingFile, onAttachFile }: AttachButtonsProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <span className="attach-buttons">
      {onPictures !== undefined && (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label="Add pictures"
            title="Add pictures (or paste or drop them)"
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
        aria-label="Attach a file"
        title="Attach a file or lines"
        aria-expanded={isAttachingFile}
        onClick={onAttachFile}
      >
        <FileText size={17} aria-hidden="true" />
      </button>
    </span>
  );
}
