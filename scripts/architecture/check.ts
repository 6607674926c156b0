import { isBuiltin } from 'node:module';
import { ENCODINGS } from '../../core/catalog/costs.ts';
import type { Dependency } from './dependencies.ts';
import type { Import } from './graph.ts';
import { findRoom, isWithin, PURE, type HostModule, type Room } from './rooms.ts';

/** Sentences about imports that violate the rules for rooms; empty if there are none. */
export function checkImports(
  imports: readonly Import[],
  dependencies: readonly Dependency[],
): readonly string[] {
  return imports.flatMap(one => {
    const breach = findBreach(one, dependencies);
    return breach === undefined ? [] : [`${one.from}:${one.line} imports '${one.specifier}': ${breach}`];
  });
}

function findBreach(one: Import, dependencies: readonly Dependency[]): string | undefined {
  const room = findRoom(one.from);
  if (room === undefined) return 'the file is in no room; add a row to scripts/architecture/rooms.ts';
  const { target } = one;
  switch (target.kind) {
    case 'file':
      return mayReach(room, target.path) ? undefined : room.reason;
    case 'host':
      return room.host.includes(target.host) ? undefined : room.reason;
    case 'library':
      return mayUse(one.from, target.name, dependencies)
        ? undefined
        : `docs/dependencies.md does not name ${room.path} for this library`;
    case 'computed':
      return mayCompute(room) ? undefined : 'what a computed import loads, nobody can check';
  }
}

/**
 * Whether a room may import a file. A single-file room such as main.node.ts is reachable from the folder
 * around it only if `may` lists it.
 */
function mayReach(room: Room, path: string): boolean {
  if (findRoom(path)?.path === room.path) return true;
  const isIn = (places: readonly string[] | undefined): boolean =>
    places?.some(place => isWithin(path, place)) === true;
  return isIn(room.may) && !isIn(room.never);
}

function mayUse(from: string, library: string, dependencies: readonly Dependency[]): boolean {
  const row = dependencies.find(dependency => dependency.library === library);
  return row !== undefined && row.where.some(place => isWithin(from, place));
}

/** Computed imports are allowed only in programs that load files by name: benchmarks and test runners. */
function mayCompute(room: Room): boolean {
  return ['scripts', 'bench', 'test'].includes(room.path);
}

/** The contents of a bundle according to esbuild's metafile. */
export interface BundleContents {
  readonly output: string;
  /** Source paths relative to the project. */
  readonly inputs: readonly string[];
  /** Modules that are not bundled but provided by the host. */
  readonly externals: readonly string[];
}

/** The rooms and host modules that a bundle may contain. */
interface BundleFence {
  readonly output: RegExp;
  readonly rooms: readonly string[];
  /** Parts of those rooms that belong to another host. */
  readonly without?: readonly string[];
  readonly host: readonly HostModule[];
  /** Other bundles that it loads on demand. */
  readonly besides?: readonly string[];
}

const ENCODING_BUNDLES: readonly string[] = ENCODINGS.map(({ name }) => `./tokens-${name}.js`);

/** Bundles of protocol libraries, which are loaded at the first call. */
const LIBRARY_BUNDLES: readonly string[] = ['./mcp.js', './a2a.js'];

/** Part of the JSON language service in bundles. */
const SERVICE_PARTS = 'scripts/build/json-service-parts.ts';

const FENCES: readonly BundleFence[] = [
  {
    output: /^dist\/extension\.js$/,
    rooms: [...PURE, 'npm', 'agents', 'client/src'],
    host: ['vscode', 'node'],
    besides: LIBRARY_BUNDLES,
  },
  {
    output: /^dist\/extension\.browser\.js$/,
    rooms: [...PURE, 'client/src'],
    without: ['client/src/agents', 'client/src/main.node.ts'],
    host: ['vscode'],
  },
  {
    output: /^dist\/server\.js$/,
    rooms: [...PURE, SERVICE_PARTS, 'server/src', 'agents/regular-file.ts', 'tokenizers/load.ts'],
    host: ['node'],
    besides: ENCODING_BUNDLES,
  },
  { output: /^dist\/server\.browser\.js$/, rooms: [...PURE, SERVICE_PARTS, 'server/src'], host: [] },
  {
    output: /^dist\/cli\.js$/,
    rooms: [...PURE, SERVICE_PARTS, 'npm', 'agents', 'server/src', 'cli/src', 'tokenizers/load.ts'],
    host: ['node'],
    besides: [...ENCODING_BUNDLES, ...LIBRARY_BUNDLES, './json.js'],
  },
  {
    // The recorder and what it needs, but no connections.
    output: /^dist\/recorder\.js$/,
    rooms: [
      ...PURE,
      'agents/proxy',
      'agents/store',
      'agents/address.ts',
      'agents/call-tracker.ts',
      'agents/recent.ts',
      'agents/small-chunks.ts',
      'agents/stored-bytes.ts',
      'agents/runtime.ts',
      'agents/unpack.ts',
    ],
    host: ['node'],
  },
  {
    output: /^dist\/json\.js$/,
    rooms: [SERVICE_PARTS, 'cli/src/json/library.ts', 'scripts/build/library-console.js'],
    host: [],
  },
  {
    output: /^dist\/mcp\.js$/,
    rooms: ['agents/mcp/library.ts', 'scripts/build/library-console.js'],
    host: ['node'],
  },
  {
    output: /^dist\/a2a\.js$/,
    rooms: ['agents/a2a/library.ts', 'scripts/build/library-console.js'],
    host: ['node'],
  },
  {
    output: /^dist\/tokens-\w+\.js$/,
    rooms: [...PURE, 'tokenizers'],
    without: ['tokenizers/load.ts'],
    host: [],
  },
  { output: /^dist\/webviews\/[a-z-]+\.js$/, rooms: [...PURE, 'client/webviews'], host: [] },
];

/** Sentences about files and modules that a bundle must not contain. */
export function checkBundle(bundle: BundleContents): readonly string[] {
  const fence = FENCES.find(({ output }) => output.test(bundle.output));
  if (fence === undefined) return [`${bundle.output} has no fence in scripts/architecture/check.ts`];
  const isIn = (input: string, places: readonly string[] = []): boolean =>
    places.some(place => isWithin(input, place));
  const strangers = bundle.inputs.filter(
    input => !input.startsWith('node_modules/') && (!isIn(input, fence.rooms) || isIn(input, fence.without)),
  );
  const foreign = bundle.externals.filter(
    name => !fence.besides?.includes(name) && !fence.host.some(host => host === hostOf(name)),
  );
  return [
    ...strangers.map(input => `${bundle.output} holds ${input}`),
    ...foreign.map(name => `${bundle.output} needs '${name}', which its host may not have`),
  ];
}

function hostOf(name: string): HostModule | undefined {
  if (name === 'vscode') return 'vscode';
  return isBuiltin(name) ? 'node' : undefined;
}
