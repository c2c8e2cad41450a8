import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { readPictures } from './read-pictures.ts';

interface PictureInput {
  readonly isOver: boolean;
  readonly problems: readonly string[];
  take(files: readonly File[]): Promise<void>;
  onPaste(event: ClipboardEvent): void;
  onDragOver(event: DragEvent): void;
  onDragLeave(): void;
  onDrop(event: DragEvent): void;
}

/** Adds pictures by pasting, dropping or choosing files, and reports the ones it can't add. */
export function usePictureInput(sessionId: string): PictureInput {
  const cockpit = useCockpit();
  const count = useApp((state) => state.attached.get(sessionId)?.pictures.length ?? 0);
  const [isOver, setOver] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const take = async (files: readonly File[]) => {
    const reading = await readPictures(files, count);
    setProblems(reading.problems);
    if (reading.pictures.length > 0) cockpit.attach(sessionId, (now) => ({ ...now, pictures: [...now.pictures, ...reading.pictures] }));
  };
  return {
    isOver,
    problems,
    take,
    onPaste(event) {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      void take(files);
    },
    onDragOver(event) {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event) {
      setOver(false);
      const files = [...event.dataTransfer.files];
      if (files.length === 0) return;
      event.preventDefault();
      void take(files);
    },
  };
}
