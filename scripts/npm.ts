import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { asList, readFields } from '../core/text/fields.ts';
import { parseJson } from '../core/text/json.ts';
import { readImports } from './architecture/graph.ts';
import { ROOT } from './root.ts';

const run = promisify(execFile);

/** The folder with the manifest, the documentation and the entry of the package, and that of the code it publishes. */
const PACKAGE = 'npm/agent-api';
const PUBLISHED = 'protocols/agent-api';

/** The options of the compiler for declarations, besides those that name files. */
const DECLARATION_OPTIONS =
  '--ignoreConfig --declaration --emitDeclarationOnly --strict --allowImportingTsExtensions --module nodenext --target es2022 --lib es2023,dom';

/**
 * Builds the npm package of the Agent API's builder into dist/npm and packs it. Each source becomes one module with
 * its declarations, so that the package can be read. Returns the path of the packed file.
 */
export async function buildNpmPackage(): Promise<string> {
  const folder = join(ROOT, 'dist/npm/agent-api');
  const declarations = join(ROOT, '.build/npm-package');
  for (const each of [folder, declarations]) await rm(each, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeDeclarations(declarations);
  for (const name of ['package.json', 'README.md']) await cp(join(ROOT, PACKAGE, name), join(folder, name));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  for (const source of await listModules(`${PACKAGE}/index.ts`))
    await writeModule(folder, source, declarations);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', dirname(folder)], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  const [packed] = asList(parseJson(stdout));
  const name = readFields(packed)?.get('filename');
  if (typeof name !== 'string') throw new Error('npm pack did not name the packed file');
  return join(dirname(folder), name);
}

/** The sources of the package: its entry and all that it imports. */
async function listModules(entry: string): Promise<readonly string[]> {
  const found = new Set([entry]);
  // A set may grow while it is walked.
  for (const path of found)
    for (const { target } of readImports(path, await readFile(join(ROOT, path), 'utf8')))
      if (target.kind === 'file') found.add(target.path);
  return [...found];
}

/** Writes the declarations of the entry and of all that it imports, in the folders of their sources. */
async function writeDeclarations(folder: string): Promise<void> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const files = ['--rootDir', '.', '--outDir', folder, `${PACKAGE}/index.ts`];
  await run(process.execPath, [compiler, ...DECLARATION_OPTIONS.split(' '), ...files], { cwd: ROOT });
}

/** Writes the JavaScript of a source and its declarations. */
async function writeModule(folder: string, source: string, declarations: string): Promise<void> {
  const target = join(folder, placeOf(source)).replace(/\.ts$/, '');
  await mkdir(dirname(target), { recursive: true });
  const code = await readFile(join(ROOT, source), 'utf8');
  const plain = await transform(code, { loader: 'ts', target: 'node20' });
  await writeFile(`${target}.js`, withPackagePaths(source, plain.code));
  const declared = join(declarations, source.replace(/\.ts$/, '.d.ts'));
  await writeFile(`${target}.d.ts`, withPackagePaths(source, await readFile(declared, 'utf8')));
}

/** The path of a source in the package. */
function placeOf(source: string): string {
  return posix.relative(source.startsWith(PACKAGE) ? PACKAGE : PUBLISHED, source);
}

/** Replaces the paths of imports by those in the package. */
function withPackagePaths(source: string, code: string): string {
  return code.replace(/(from\s*)(['"])(\.[^'"]+)\.ts\2/g, (_, from: string, quote: string, path: string) => {
    const target = placeOf(posix.join(posix.dirname(source), path));
    const relative = posix.relative(posix.dirname(placeOf(source)), target);
    return `${from}${quote}${relative.startsWith('.') ? relative : `./${relative}`}.js${quote}`;
  });
}

if (import.meta.main) console.log(await buildNpmPackage());
