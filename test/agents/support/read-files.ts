import { readRegularFile } from '../../../agents/regular-file.ts';

// Reads each file that the arguments name, up to 4 MiB, and prints what came of it as a JSON list.
const results: string[] = [];
for (const path of process.argv.slice(2))
  results.push(
    await readRegularFile(path, 4 * 2 ** 20).then(
      bytes => `${bytes.length} bytes`,
      (error: unknown) =>
        error instanceof Error && 'code' in error ? String(error.code) : (error as Error).message,
    ),
  );
process.stdout.write(JSON.stringify(results));
