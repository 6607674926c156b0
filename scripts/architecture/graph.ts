import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { lineAt, stringOf, walkSource, type Node } from './syntax.ts';

/** An import in a source file. */
export interface Import {
  /** The path of the importing file relative to the project, with forward slashes. */
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  readonly target: ImportTarget;
}

export type ImportTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'host'; readonly host: 'node' | 'vscode' }
  | { readonly kind: 'library'; readonly name: string }
  /** `import(expression)`, whose target cannot be determined. */
  | { readonly kind: 'computed' };

const SOURCE_FOLDERS = [
  'core',
  'tensor',
  'language',
  'protocols',
  'trace',
  'wire',
  'npm',
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

/** The paths of all source files, relative to the project. */
export function listSources(root: string): readonly string[] {
  return SOURCE_FOLDERS.flatMap(folder => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .map(path => path.replaceAll('\\', '/'))
    .sort();
}

/** The imports of all sources. */
export function readGraph(root: string): readonly Import[] {
  return listSources(root).flatMap(path => readImports(path, readFileSync(join(root, path), 'utf8')));
}

/** The imports of a source: static, re-export, type, dynamic, `require` and `import type = require`. */
export function readImports(path: string, text: string): readonly Import[] {
  const known = KNOWN.get(path);
  if (known?.text === text) return known.imports;
  const imports = findImports(path, text);
  KNOWN.set(path, { text, imports });
  return imports;
}

/** Caches imports by path, because several rules read all of them. */
const KNOWN = new Map<string, { readonly text: string; readonly imports: readonly Import[] }>();

function findImports(path: string, text: string): readonly Import[] {
  const found: Import[] = [];
  walkSource(path, text, node => {
    const source = importedBy(node);
    if (source === undefined) return;
    const specifier = stringOf(source);
    const target: ImportTarget =
      specifier === undefined ? { kind: 'computed' } : resolveTarget(path, specifier);
    const written = source === null ? '' : text.slice(source.start, source.end);
    found.push({ from: path, line: lineAt(text, node.start), specifier: specifier ?? written, target });
  });
  return found;
}

/**
 * The expression for the module that a node loads; `null` for
 * a `require` without an argument, undefined for other nodes.
 */
function importedBy(node: Node): Node | null | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source;
    case 'ExportNamedDeclaration':
      return node.source ?? undefined;
    case 'TSExternalModuleReference':
      return node.expression;
    case 'CallExpression':
      return isRequire(node.callee) ? (node.arguments[0] ?? null) : undefined;
    default:
      return undefined;
  }
}

/** True for `require` and `require.resolve`. */
function isRequire(callee: Node): boolean {
  if (callee.type === 'MemberExpression')
    return (
      isRequire(callee.object) && callee.property.type === 'Identifier' && callee.property.name === 'resolve'
    );
  return callee.type === 'Identifier' && callee.name === 'require';
}

function resolveTarget(from: string, specifier: string): ImportTarget {
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(from), specifier)) };
  }
  if (specifier === 'vscode') return { kind: 'host', host: 'vscode' };
  if (isBuiltin(specifier)) return { kind: 'host', host: 'node' };
  return { kind: 'library', name: libraryName(specifier) };
}

/** The package name in a specifier, without the path inside the package. */
export function libraryName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
