const NEEDED = [20, 19];

/** Ends the script with a sentence when this Node is too old. Must be the first import: nothing newer may be loaded before it. */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `Signalbox needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node}. Install a newer one from nodejs.org and try again.\n`,
  );
  process.exit(1);
}
