import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { readPictures } from './read-pictures.ts';

interface IntakeDoors {
  readonly isOver: boolean;
  readonly problems: readonly string[];
  take(files: readonly File[]): Promise<void>;
  onPaste(event: ClipboardEvent): void;
  onDragOver(event: DragEvent): void;
  onDragLeave(): void;
  onDrop(event: DragEvent): void;
}

/** Pictures come in by pasting, dropping or choosing; what cannot is said in words. */
export function useIntake(sessionId: string): IntakeDoors {
  const cockpit = useCockpit();
  const count = useApp((state) => state.attached.get(sessionId)?.pictures.length ?? 0);
  const [isOver, setOver] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const take = async (files: readonly File[]) => {
    const intake = await readPictures(files, count);
    setProblems(intake.problems);
    if (intake.pictures.length > 0) cockpit.attach(sessionId, (now) => ({ ...now, pictures: [...now.pictures, ...intake.pictures] }));
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
