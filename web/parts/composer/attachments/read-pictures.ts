import { ImageInput } from '../../../../src/protocol/command.ts';
import { LIMITS } from '../../../../src/protocol/limits.ts';
import { newId } from '../../../app/start-cockpit.ts';
import type { Picture } from '../../../client/storage/attachments.ts';

export interface Intake {
  readonly pictures: readonly Picture[];
  /** Why some were left out. */
  readonly problems: readonly string[];
}

const KINDS = ImageInput.shape.mediaType;
export const ACCEPTED = KINDS.options.join(',');
const MB = 1024 * 1024;

/** Takes what the server would take, and says of the rest why not. */
export async function readPictures(files: readonly File[], already: number): Promise<Intake> {
  const room = Math.max(0, LIMITS.imagesPerMessage - already);
  const read = await Promise.all(files.slice(0, room).map(readPicture));
  const tooMany = files.length > room ? [`A message may have at most ${LIMITS.imagesPerMessage} pictures; ${files.length - room} left out.`] : [];
  return {
    pictures: read.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    problems: [...read.flatMap((one) => (typeof one === 'string' ? [one] : [])), ...tooMany],
  };
}

async function readPicture(file: File): Promise<Picture | string> {
  const kind = KINDS.safeParse(file.type);
  if (!kind.success) return `${file.name} is no PNG, JPEG, GIF or WebP, so it was left out.`;
  if (file.size > LIMITS.imageBytes) {
    return `${file.name} has ${(file.size / MB).toFixed(1)} MB; a picture may have at most ${LIMITS.imageBytes / MB} MB.`;
  }
  return { id: newId(), name: file.name, bytes: file.size, mediaType: kind.data, base64: await base64Of(file) };
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
