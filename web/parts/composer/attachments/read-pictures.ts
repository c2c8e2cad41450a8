import { ImageInput } from '../../../../src/protocol/command.ts';
import { LIMITS } from '../../../../src/protocol/limits.ts';
import { newId } from '../../../client/new-id.ts';
import type { Picture } from '../../../client/storage/attachments.ts';

export interface PictureReading {
  readonly pictures: readonly Picture[];
  /** Why some were not added. */
  readonly problems: readonly string[];
}

const KINDS = ImageInput.shape.mediaType;
export const ACCEPTED = KINDS.options.join(',');
const MB = 1024 * 1024;

/** Reads the pictures that the server accepts, and says why the others don't fit. */
export async function readPictures(files: readonly File[], already: number): Promise<PictureReading> {
  const room = Math.max(0, LIMITS.imagesPerMessage - already);
  const read = await Promise.all(files.slice(0, room).map(readPicture));
  const tooMany = files.length > room ? [`A message can have up to ${LIMITS.imagesPerMessage} pictures; ${files.length - room} not added.`] : [];
  return {
    pictures: read.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    problems: [...read.flatMap((one) => (typeof one === 'string' ? [one] : [])), ...tooMany],
  };
}

async function readPicture(file: File): Promise<Picture | string> {
  const kind = KINDS.safeParse(file.type);
  if (!kind.success) return `${file.name} was not added: use PNG, JPEG, GIF or WebP.`;
  if (file.size > LIMITS.imageBytes) {
    return `${file.name} was not added: it has ${(file.size / MB).toFixed(1)} MB, and the limit is ${LIMITS.imageBytes / MB} MB.`;
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
