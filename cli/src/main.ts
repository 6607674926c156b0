import { setFlagsFromString } from 'node:v8';
import { runCli } from './cli.ts';
import { openTerminal } from './terminal.ts';

// A bridge runs for long and has many small calls, which Node's own settings serve faster.
if (process.argv[2] !== 'bridge') limitMemory();

// The entry point of dist/cli.js. The exit code is set instead of calling `exit`, so that all output is written first.
void runCli(openTerminal(), process.argv.slice(2)).then(exitCode => {
  process.exitCode = exitCode;
});

/** Keeps the memory of a command close to what it uses. */
function limitMemory(): void {
  // Node's space for new objects can grow to 48 MiB when a large input is read. A growth factor of 1 keeps it
  // small, so that memory use follows the input size.
  setFlagsFromString('--semi-space-growth-factor=1');
  // The space for old objects can grow to four times the memory in use before a collection. This limits the
  // growth to 30 percent.
  setFlagsFromString('--heap-growing-percent=30');
}
