import { join } from 'node:path';
import { ROOT } from '../../scripts/root.ts';

/** The bundle of the command line, for tests that start it: it starts in a third of the time that its sources need. */
export const CLI = join(ROOT, 'dist/cli.js');
