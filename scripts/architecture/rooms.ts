import { PROTOCOLS } from '../../core/catalog/protocols.ts';

/** A room of the project: a folder with one rule of whom it may import. */
export interface Room {
  /** The folder, relative to the project, or a single file that has rights of its own. */
  readonly path: string;
  /** Rooms whose files it may import besides its own; a path also stands for everything below it. */
  readonly may: readonly string[];
  /** Folders among them that it must not import. */
  readonly never?: readonly string[];
  /** What it may take from its host. */
  readonly host: readonly HostModule[];
  /** One sentence that a breach shows. */
  readonly reason: string;
}

/** `node` stands for every built-in module of Node, `vscode` for the editor's API. */
export type HostModule = 'node' | 'vscode';

/** Rooms without a host, from the lowest to the highest; each may import those before it. */
export const PURE = ['core', 'tensor', 'language', 'protocols', 'trace', 'wire'] as const;

/** The folders of `protocols/` that belong to one protocol; the others hold what several share. */
export const PROTOCOL_FOLDERS: readonly string[] = [...PROTOCOLS.map(({ name }) => name), 'json'].map(
  name => `protocols/${name}`,
);

/** A folder of a room without a host, or such a room as a whole. */
function pure(path: string, may: readonly string[], never: readonly string[] = []): Room {
  return {
    path,
    may,
    never,
    host: [],
    reason:
      'core, tensor, language, protocols, trace and wire import in this direction only, and nothing of an editor, of Node or of a page',
  };
}

/** A room as a whole: it may import its own folders and the rooms before it in `PURE`. */
function pureRoom(room: (typeof PURE)[number]): Room {
  return pure(room, PURE.slice(0, PURE.indexOf(room) + 1));
}

/**
 * Who may import whom. A file belongs to the room with the longest path that holds it; what no room holds is a breach.
 * Libraries are not here: docs/dependencies.md says which folder may use which.
 */
export const ROOMS: readonly Room[] = [
  ...PURE.map(pureRoom),
  pure('core/text', []),
  pure('core/catalog', ['core/text']),
  pure(
    'language/aicl',
    ['core', 'tensor', 'language'],
    ['language/aicf', 'language/rules', 'language/variables', 'language/values', 'language/media'],
  ),
  pure(
    'language/aicf',
    ['core', 'language'],
    ['language/aicl', 'language/rules', 'language/variables', 'language/values', 'language/media'],
  ),
  pure('language/rules', ['core', 'tensor', 'language'], ['language/variables', 'language/media']),
  ...PROTOCOL_FOLDERS.map(path =>
    pure(
      path,
      ['core', 'tensor', 'language', 'protocols'],
      PROTOCOL_FOLDERS.filter(other => other !== path),
    ),
  ),
  {
    path: 'agents',
    may: [...PURE],
    host: ['node'],
    reason: 'agents/ knows protocols and Node, no editor and no language server',
  },
  {
    path: 'server/src',
    may: [...PURE],
    host: [],
    reason:
      'server/ runs in a web worker, too: only main.node.ts, stdio.ts, framed-input.ts, node-runtime.ts and node-disk.ts know Node, and nothing there sends',
  },
  {
    path: 'server/src/main.node.ts',
    may: [...PURE, 'server/src'],
    host: ['node'],
    reason: 'the edge to Node',
  },
  {
    path: 'server/src/node-runtime.ts',
    may: [...PURE, 'server/src', 'tokenizers/load.ts'],
    host: ['node'],
    reason: 'the edge to Node',
  },
  {
    path: 'server/src/node-disk.ts',
    may: [...PURE, 'server/src'],
    host: ['node'],
    reason: 'the edge to Node',
  },
  { path: 'server/src/stdio.ts', may: [...PURE, 'server/src'], host: ['node'], reason: 'the edge to Node' },
  { path: 'server/src/framed-input.ts', may: [...PURE], host: ['node'], reason: 'the edge to Node' },
  {
    path: 'client/src',
    may: [...PURE],
    host: ['vscode'],
    reason: 'client/src runs in web editors, too: only main.node.ts and agents/ know Node and agents/',
  },
  {
    path: 'client/src/agents',
    may: [...PURE, 'client/src', 'agents'],
    host: ['vscode', 'node'],
    reason: 'the edge to agents',
  },
  {
    path: 'client/src/main.node.ts',
    may: [...PURE, 'client/src', 'agents'],
    host: ['vscode', 'node'],
    reason: 'the edge to Node',
  },
  {
    path: 'client/webviews',
    may: [...PURE],
    host: [],
    reason: 'a webview is a page: it talks to the extension by messages of wire alone',
  },
  {
    path: 'cli/src',
    may: [...PURE, 'agents', 'server/src/stdio.ts', 'tokenizers/load.ts'],
    host: ['node'],
    reason: 'the command line uses the rooms below and the server as a whole, no editor',
  },
  {
    path: 'tokenizers',
    may: ['core', 'protocols/cost'],
    host: [],
    reason: 'an encoding is data for protocols/cost, in a bundle of its own',
  },
  {
    path: 'tokenizers/load.ts',
    may: ['core', 'protocols/cost', 'tokenizers'],
    host: [],
    reason: 'it loads an encoding when one is asked for, and is all that the others see of them',
  },
  { path: 'syntaxes/src', may: ['core'], host: [], reason: 'grammars are made from the catalog alone' },
  {
    path: 'scripts',
    may: [...PURE, 'agents', 'syntaxes/src', 'bench'],
    host: ['node'],
    reason: 'scripts read the catalog and start what was built',
  },
  {
    path: 'bench',
    may: [...PURE, 'agents', 'server/src', 'tokenizers'],
    host: ['node'],
    reason: 'benchmarks measure rooms below the editor',
  },
  { path: 'test', may: [''], host: ['node', 'vscode'], reason: 'tests may use everything' },
];

/** The room that a file, by its path relative to the project, belongs to; undefined where none holds it. */
export function findRoom(path: string): Room | undefined {
  return ROOMS.filter(room => isWithin(path, room.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** True where `path` is `place` or lies below it; the empty place holds everything. */
export function isWithin(path: string, place: string): boolean {
  const trimmed = place.replace(/\/$/, '');
  return trimmed === '' || path === trimmed || path.startsWith(`${trimmed}/`);
}
