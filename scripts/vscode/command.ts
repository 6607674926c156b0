import { spawn } from 'node:child_process';

/** A preparation step that is impossible on this machine. The message is a sentence for the user. */
export class PrepareError extends Error {}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const MAX_OUTPUT = 4000;

/** Runs a program without showing its output. Throws `PrepareError` with the end of its output if it fails. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', error =>
      reject(new PrepareError(`'${program}' could not be started: ${error.message}`)),
    );
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new PrepareError(`'${[program, ...args].join(' ')}' ended with ${code ?? signal}:\n${output}`),
        );
    });
  });
}
