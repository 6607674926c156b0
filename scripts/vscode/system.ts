import { findChromium, findOnPath } from './places.ts';
import { PrepareError, runCommand } from './command.ts';

/** A program that tests need, and the Debian packages that contain it. */
interface Need {
  readonly what: string;
  readonly packages: readonly string[];
  readonly isThere: (env: NodeJS.ProcessEnv) => boolean;
}

const CHROMIUM: Need = {
  what: 'Chromium',
  packages: ['chromium'],
  isThere: env => findChromium(env) !== undefined,
};

/** The tools of node-gyp: two native modules of the server are distributed as source. */
const COMPILER: Need = {
  what: 'a C++ compiler (python3, make, g++)',
  packages: ['python3', 'make', 'g++'],
  isThere: env => ['python3', 'make', 'g++'].every(name => findOnPath([name], env) !== undefined),
};

/**
 * Ensures that Chromium is installed; returns its path. Throws
 * `PrepareError` if it is missing and cannot be installed.
 */
export async function ensureChromium(log: (line: string) => void): Promise<string> {
  await ensure([CHROMIUM], log);
  const found = findChromium(process.env);
  if (found === undefined) throw new PrepareError('Chromium was installed but is not on the PATH');
  return found;
}

/** Ensures that native modules can be compiled. Throws `PrepareError` if they cannot. */
export function ensureCompiler(log: (line: string) => void): Promise<void> {
  return ensure([COMPILER], log);
}

async function ensure(needs: readonly Need[], log: (line: string) => void): Promise<void> {
  const missing = needs.filter(need => !need.isThere(process.env));
  if (missing.length === 0) return;
  const packages = missing.flatMap(need => need.packages);
  if (process.getuid?.() !== 0 || findOnPath(['apt-get'], process.env) === undefined) {
    const names = missing.map(need => need.what).join(' and ');
    throw new PrepareError(
      `Tests in VS Code need ${names}. Install it (on Debian: sudo apt-get install ${packages.join(' ')}) and try again.` +
        (missing.includes(CHROMIUM) ? ' PARLEY_CHROMIUM may name a Chromium that is not on the PATH.' : ''),
    );
  }
  log(`installing ${packages.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { env });
  await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}
