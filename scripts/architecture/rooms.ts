/** A room of the project: a folder with one rule of whom it may import. */
export interface Room {
  /** The folder, relative to the project, or a single file that has rights of its own. */
  readonly path: string;
  /** Rooms whose files it may import besides its own; a path also stands for everything below it. */
  readonly may: readonly string[];
  /** What it may take from its host. */
  readonly host: readonly HostModule[];
  /** One sentence that a breach shows. */
  readonly reason: string;
}

/** `node` stands for every built-in module of Node, `vscode` for the editor's API. */
export type HostModule = 'node' | 'vscode';

const PROTOCOL = 'protocol/src';

/** A room of protocol/, which takes nothing from any host. */
function pure(name: string, may: readonly string[]): Room {
  return {
    path: `${PROTOCOL}/${name}`,
    may: may.map(other => `${PROTOCOL}/${other}`),
    host: [],
    reason:
      'protocol/ is pure: lower rooms never import higher ones, and nothing of an editor, of Node or of a page',
  };
}

const LANGUAGE_ROOMS = ['text', 'catalog', 'language', 'tensor', 'aicf', 'aicl'];

/**
 * Who may import whom. A file belongs to the room with the longest path that holds it; what no room holds is a breach.
 * Libraries are not here: docs/dependencies.md says which folder may use which.
 */
export const ROOMS: readonly Room[] = [
  pure('text', []),
  pure('catalog', ['text']),
  pure('language', ['text', 'catalog']),
  pure('tensor', ['text', 'catalog']),
  pure('aicf', ['text', 'catalog', 'language']),
  pure('aicl', ['text', 'catalog', 'language', 'tensor']),
  pure('validate', LANGUAGE_ROOMS),
  pure('media', ['text', 'catalog', 'tensor', 'aicf']),
  pure('agent-api', []),
  pure('message', LANGUAGE_ROOMS),
  pure('fold', [...LANGUAGE_ROOMS, 'message']),
  pure('convert', [...LANGUAGE_ROOMS, 'validate', 'message', 'fold']),
  pure('variables', [...LANGUAGE_ROOMS, 'validate', 'message', 'fold', 'convert']),
  pure('cost', [...LANGUAGE_ROOMS, 'message', 'fold', 'convert']),
  pure('trace', [...LANGUAGE_ROOMS, 'message', 'fold', 'convert', 'variables']),
  pure('wire', [...LANGUAGE_ROOMS, 'message', 'variables', 'cost', 'trace']),
  // What binds the rooms into one, such as languages.ts.
  pure('', ['']),
  {
    path: 'agents/src',
    may: [PROTOCOL],
    host: ['node'],
    reason: 'agents/ knows protocols and Node, no editor and no language server',
  },
  {
    path: 'server/src',
    may: [PROTOCOL],
    host: [],
    reason:
      'server/ runs in a web worker, too: only main.node.ts, stdio.ts, framed-input.ts, node-runtime.ts and node-disk.ts know Node, and nothing there sends',
  },
  {
    path: 'server/src/main.node.ts',
    may: [PROTOCOL, 'server/src'],
    host: ['node'],
    reason: 'the edge to Node',
  },
  {
    path: 'server/src/node-runtime.ts',
    may: [PROTOCOL, 'server/src', 'tokenizers/load.ts'],
    host: ['node'],
    reason: 'the edge to Node',
  },
  {
    path: 'server/src/node-disk.ts',
    may: [PROTOCOL, 'server/src'],
    host: ['node'],
    reason: 'the edge to Node',
  },
  { path: 'server/src/stdio.ts', may: [PROTOCOL, 'server/src'], host: ['node'], reason: 'the edge to Node' },
  { path: 'server/src/framed-input.ts', may: [PROTOCOL], host: ['node'], reason: 'the edge to Node' },
  {
    path: 'client/src',
    may: [PROTOCOL],
    host: ['vscode'],
    reason: 'client/src runs in web editors, too: only main.node.ts and agents/ know Node and agents/',
  },
  {
    path: 'client/src/agents',
    may: [PROTOCOL, 'client/src', 'agents/src'],
    host: ['vscode', 'node'],
    reason: 'the edge to agents',
  },
  {
    path: 'client/src/main.node.ts',
    may: [PROTOCOL, 'client/src', 'agents/src'],
    host: ['vscode', 'node'],
    reason: 'the edge to Node',
  },
  {
    path: 'client/webviews',
    may: [PROTOCOL],
    host: [],
    reason: 'a webview is a page: it talks to the extension by messages of protocol/src/wire alone',
  },
  {
    path: 'cli/src',
    may: [PROTOCOL, 'agents/src', 'server/src/stdio.ts', 'tokenizers/load.ts'],
    host: ['node'],
    reason: 'the command line uses the rooms below and the server as a whole, no editor',
  },
  {
    path: 'tokenizers',
    may: [`${PROTOCOL}/catalog`, `${PROTOCOL}/cost`],
    host: [],
    reason: 'an encoding is data for protocol/src/cost, in a bundle of its own',
  },
  {
    path: 'tokenizers/load.ts',
    may: [`${PROTOCOL}/catalog`, `${PROTOCOL}/cost`, 'tokenizers'],
    host: [],
    reason: 'it loads an encoding when one is asked for, and is all that the others see of them',
  },
  { path: 'syntaxes/src', may: [PROTOCOL], host: [], reason: 'grammars are made from the catalog alone' },
  {
    path: 'scripts',
    may: [PROTOCOL, 'agents/src', 'syntaxes/src', 'bench'],
    host: ['node'],
    reason: 'scripts read the catalog and start what was built',
  },
  {
    path: 'bench',
    may: [PROTOCOL, 'agents/src', 'server/src', 'tokenizers'],
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
