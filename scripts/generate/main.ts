import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../root.ts';
import { generateAll } from './outputs.ts';

/**
 * Writes all files that are generated from the catalog: grammars, blocks of the manifest, the reference. With
 * `--check` it writes nothing and exits with 1 if a file is outdated.
 */
const isCheck = process.argv.includes('--check');
const stale: string[] = [];
const outputs = generateAll();
for (const output of outputs) {
  const file = path.join(ROOT, output.path);
  if (readIfThere(file) === output.content) continue;
  stale.push(output.path);
  if (isCheck) continue;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, output.content);
}
if (isCheck && stale.length > 0) {
  console.error(
    `Not what the catalog says: ${stale.join(', ')}. Run 'npm run generate' and commit the result.`,
  );
  process.exitCode = 1;
} else
  console.log(
    isCheck
      ? `${outputs.length} generated files are fresh`
      : `wrote ${stale.length} of ${outputs.length} generated files`,
  );

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The file does not exist yet: it is written, or reported as outdated.
    return undefined;
  }
}
