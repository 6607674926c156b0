import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** One import of one file, as it is written. */
export interface Import {
  /** Relative to the project, with forward slashes. */
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  readonly target: ImportTarget;
}

export type ImportTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'host'; readonly host: 'node' | 'vscode' }
  | { readonly kind: 'library'; readonly name: string }
  /** `import(expression)`: nobody can say what it loads. */
  | { readonly kind: 'computed' };

const SOURCE_FOLDERS = [
  'core',
  'tensor',
  'language',
  'protocols',
  'trace',
  'wire',
  'agents',
  'server',
  'tokenizers',
  'client',
  'cli',
  'syntaxes',
  'scripts',
  'bench',
  'test',
];

/** Every source file of the project, relative to it. */
export function listSources(root: string): readonly string[] {
  return SOURCE_FOLDERS.flatMap(folder => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map(path => path.replaceAll('\\', '/'))
    .sort();
}

/** The imports of all sources. */
export function readGraph(root: string): readonly Import[] {
  return listSources(root).flatMap(path => readImports(path, readFileSync(join(root, path), 'utf8')));
}

/** What a source imports: statically, by re-export, for types, dynamically, by require and by `import type = require`. */
export function readImports(path: string, text: string): readonly Import[] {
  const known = KNOWN.get(path);
  if (known?.text === text) return known.imports;
  const imports = findImports(path, text);
  KNOWN.set(path, { text, imports });
  return imports;
}

/** What sources import, by their paths: several rules ask for all of them. */
const KNOWN = new Map<string, { readonly text: string; readonly imports: readonly Import[] }>();

function findImports(path: string, text: string): readonly Import[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: Import[] = [];
  const add = (node: ts.Node, argument: ts.Node | undefined): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const specifier = argument !== undefined && ts.isStringLiteralLike(argument) ? argument.text : undefined;
    const target: ImportTarget =
      specifier === undefined ? { kind: 'computed' } : resolveTarget(path, specifier);
    found.push({ from: path, line, specifier: specifier ?? argument?.getText() ?? '', target });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      add(node, node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node, node.expression);
    else if (ts.isImportTypeNode(node))
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    else if (ts.isCallExpression(node) && isLoader(node.expression)) add(node, node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `import(…)`, `require(…)` and `require.resolve(…)`. */
function isLoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isPropertyAccessExpression(callee))
    return isLoader(callee.expression) && callee.name.text === 'resolve';
  return ts.isIdentifier(callee) && callee.text === 'require';
}

function resolveTarget(from: string, specifier: string): ImportTarget {
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(from), specifier)) };
  }
  if (specifier === 'vscode') return { kind: 'host', host: 'vscode' };
  if (isBuiltin(specifier)) return { kind: 'host', host: 'node' };
  return { kind: 'library', name: libraryName(specifier) };
}

/** A package's name without the path inside it. */
export function libraryName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
