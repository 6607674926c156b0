import { readImports } from './graph.ts';
import { stringOf, walkSource, type Node } from './syntax.ts';

/** Source texts by path relative to the project. */
export type Sources = ReadonlyMap<string, string>;

/** The sources that no entry imports, directly or indirectly; sorted. */
export function findUnreachable(sources: Sources, entries: readonly string[]): readonly string[] {
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

/** Exported names, as `path: name`, that occur only in their own declaration. */
export function findUnusedExports(sources: Sources): readonly string[] {
  const uses = new Map<string, number>();
  const exported: (readonly [path: string, name: string])[] = [];
  for (const [path, text] of sources) {
    walkSource(path, text, node => {
      // Identifiers and strings both count, because names may be looked up by string.
      const name = nameOf(node) ?? stringOf(node);
      if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
      for (const declared of exportedBy(node)) exported.push([path, declared]);
    });
  }
  return exported.filter(([, name]) => uses.get(name) === 1).map(([path, name]) => `${path}: ${name}`);
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : undefined;
}

/** The names that an `export` declaration declares. */
function exportedBy(node: Node): readonly string[] {
  if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return [];
  const { declaration } = node;
  switch (declaration.type) {
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => nameOf(id) ?? []);
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return declaration.id === null ? [] : [declaration.id.name];
    default:
      return [];
  }
}
