import { PROTOCOLS } from '../../core/catalog/protocols.ts';

/** A part of the project with rules for its imports. */
export interface Room {
  /** A folder, relative to the project, or a single file with its own rules. */
  readonly path: string;
  /** The paths that it may import in addition to its own files; a path includes everything below it. */
  readonly may: readonly string[];
  /** Paths below `may` that it must not import. */
  readonly never?: readonly string[];
  /** The host modules that it may use. */
  readonly host: readonly HostModule[];
  /** The sentence that is shown for a violation. */
  readonly reason: string;
}

/** `node` is every built-in module of Node, `vscode` the editor's API. */
export type HostModule = 'node' | 'vscode';

/** Rooms without host modules, from the lowest to the highest; each may import those before it. */
export const PURE = ['core', 'tensor', 'language', 'protocols', 'trace', 'wire'] as const;

/** The folders of `protocols/` that belong to one protocol; the others are shared by several. */
export const PROTOCOL_FOLDERS: readonly string[] = [...PROTOCOLS.map(({ name }) => name), 'json'].map(
  name => `protocols/${name}`,
);

/** A room without host modules, or a folder of one. */
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
function pureArea(room: (typeof PURE)[number]): Room {
  return pure(room, PURE.slice(0, PURE.indexOf(room) + 1));
}

/**
 * The rooms of the project. A file belongs to the room with the longest path that contains it; a file outside
 * of all rooms is a violation. The rules for libraries are in docs/dependencies.md.
 */
export const ROOMS: readonly Room[] = [
  ...PURE.map(pureArea),
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
    path: 'npm',
    may: ['protocols/agent-api/builder'],
    host: [],
    reason: 'npm/ publishes a part of a room as a package, with a clock and ids',
  },
  {
    path: 'agents',
    may: [...PURE, 'npm'],
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
    may: [...PURE, 'server/src', 'agents/regular-file.ts'],
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
    may: [
      ...PURE,
      'agents',
      'syntaxes/src',
      'bench',
      'client/src/features/manifests.ts',
      'client/src/features/manifest.ts',
    ],
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

/** The room of a file, given by its path relative to the project; undefined if there is none. */
export function findRoom(path: string): Room | undefined {
  return ROOMS.filter(room => isWithin(path, room.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** True if `path` is `place` or below it; everything is within the empty place. */
export function isWithin(path: string, place: string): boolean {
  const trimmed = place.replace(/\/$/, '');
  return trimmed === '' || path === trimmed || path.startsWith(`${trimmed}/`);
}
