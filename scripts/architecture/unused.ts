import ts from 'typescript';
import { readImports } from './graph.ts';

/** A source's text by its path relative to the project. */
export type Sources = ReadonlyMap<string, string>;

/** Sources that no entry reaches over imports, sorted. */
export function findUnreached(sources: Sources, entries: readonly string[]): readonly string[] {
  const reached = new Set<string>();
  const waiting = entries.filter(entry => sources.has(entry));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { target } of readImports(path, sources.get(path) ?? '')) {
      if (target.kind === 'file' && sources.has(target.path)) waiting.push(target.path);
    }
  }
  return [...sources.keys()].filter(path => !reached.has(path)).sort();
}

/** Exported names, as `path: name`, that stand nowhere in all sources but in their own declaration. */
export function findUnusedExports(sources: Sources): readonly string[] {
  const uses = new Map<string, number>();
  const exported: (readonly [path: string, name: string])[] = [];
  for (const [path, text] of sources) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
    countNames(file, uses);
    for (const name of listExports(file)) exported.push([path, name]);
  }
  return exported.filter(([, name]) => uses.get(name) === 1).map(([path, name]) => `${path}: ${name}`);
}

/** Every identifier counts, and every text: names may be looked up by text. */
function countNames(file: ts.SourceFile, uses: Map<string, number>): void {
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node))
      uses.set(node.text, (uses.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function listExports(file: ts.SourceFile): readonly string[] {
  return file.statements.flatMap(statement => {
    if (!ts.canHaveModifiers(statement)) return [];
    const isExported =
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
    return isExported ? namesOf(statement) : [];
  });
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}
