import { setFlagsFromString } from 'node:v8';
import { runCli } from './cli.ts';
import { openTerminal } from './terminal.ts';

// Node's space for new objects grows to 48 MiB where much is read at once: it stays small, so that memory follows the input.
setFlagsFromString('--semi-space-growth-factor=1');
// And the space for old objects may grow to four times what is in use before it is cleared: it grows by a third.
setFlagsFromString('--heap-growing-percent=30');

// The entry of dist/cli.js. The exit code is set and not forced, so that all of the output is written first.
void runCli(openTerminal(), process.argv.slice(2)).then(exitCode => {
  process.exitCode = exitCode;
});
