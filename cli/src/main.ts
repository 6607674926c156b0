import { runCli } from './cli.ts';
import { openTerminal } from './terminal.ts';

// The entry of dist/cli.js. The exit code is set and not forced, so that all of the output is written first.
void runCli(openTerminal(), process.argv.slice(2)).then(exitCode => {
  process.exitCode = exitCode;
});
