import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const LICENSE_FILE = /^(licen[sc]e|copying|notice|ofl)/i;

/** The names of the packages among these input files of a bundle. */
export function packagesIn(files) {
  return files.flatMap((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(file.replaceAll('\\', '/'))?.[1] ?? []);
}

/** The licenses of every package whose code or files are in dist/, as their authors ask. Fails for one without a license. */
export function noticesFor(names) {
  const all = [...new Set(names)].sort();
  const head = `Signalbox contains these ${all.length} packages. Each is the work of its authors, under its own license.\n`;
  return [head, ...all.map(noticeOf)].join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(name) {
  const folder = join(ROOT, 'node_modules', name);
  const { version, license, homepage, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => LICENSE_FILE.test(file) && existsSync(join(folder, file)));
  if (license === undefined && texts.length === 0) throw new Error(`${name} is bundled, but says nothing about its license`);
  const by = typeof author === 'string' ? author : author?.name;
  const lines = [
    `${name} ${version}`,
    `License: ${license ?? 'see below'}`,
    ...(by === undefined ? [] : [`Author: ${by}`]),
    ...(homepage === undefined ? [] : [homepage]),
  ];
  return `${lines.join('\n')}\n${texts.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`).join('')}`;
}
