import { trimOf } from '../../core/text/trim.ts';
import { isLoopbackName, portOf } from '../address.ts';
import type { AgentPlace } from '../config/edit-agents-file.ts';

/** Words that say nothing about an agent. */
const GENERIC =
  /^(?:index|main|server|servers|mcp|app|run|start|cli|dist|build|out|bin|lib|src|source|packages?|node_modules|agents?|api|www|v\d+|sse|stdio|http|https|localhost|latest|python\d?|node|npx|uvx?|docker|com|responses|well-known|agent-card|json|rpc|\d+(?:\.\d+)*)?$/i;

/** Programs that run another one, and their options that take a value. */
const RUNNERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    npx: ['-p', '--package', '-c'],
    bunx: [],
    pnpm: [],
    yarn: [],
    npm: ['--package', '--prefix'],
    bun: [],
    deno: [],
    node: ['--env-file', '-r', '--import', '--require', '--loader'],
    tsx: [],
    uvx: ['--from', '--with', '--python', '-p'],
    uv: ['--directory', '--from', '--with', '--project', '--python', '-p'],
    pipx: ['--spec'],
    python: [],
    python3: [],
    py: [],
    docker: [
      '-e',
      '--env',
      '-v',
      '--volume',
      '--mount',
      '--name',
      '-p',
      '--network',
      '--env-file',
      '-w',
      '--user',
      '--platform',
      '--pull',
      '--entrypoint',
    ],
    podman: ['-e', '--env', '-v', '--volume', '--mount', '--name', '-p', '--network', '--env-file'],
    java: ['-cp'],
    dotnet: ['--project'],
    go: [],
  }).map(([runner, options]) => [runner, new Set(options)]),
);

/** True for a program that runs packages, scripts or images. */
export function isRunner(word: string): boolean {
  const program = lastPart(word).replace(/\.(?:exe|cmd)$/i, '');
  return RUNNERS.has(program.toLowerCase()) || /^(?:cmd|curl|claude|codex|gemini|dnx)$/i.test(program);
}

/** Words between a runner and what it runs. */
const VERBS: ReadonlySet<string> = new Set(['run', 'exec', 'x', 'dlx', 'tool', 'compose', 'start', '--']);

/** Proposes a name for an agent from its package, image, folder or host, other than the names that are taken. */
export function suggestName(place: AgentPlace, taken: ReadonlySet<string>, named = ''): string {
  const own = GENERIC.test(named) ? '' : named;
  const base = own !== '' ? own : place.type === 'http' ? nameOfUrl(place.url) : nameOfCommand(place);
  return makeUnique(base, taken);
}

/**
 * The name of an agent at an address: that of its host, else, on this computer, what the agent calls itself.
 */
export function nameFound(name: string, reported: string, taken: ReadonlySet<string>): string {
  const own = /^agent-\d+(?:-\d+)?$/.test(name) ? nameOfWord(reported).slice(0, LONGEST) : '';
  return own === '' ? name : makeUnique(own, taken);
}

const LONGEST = 40;

function makeUnique(base: string, taken: ReadonlySet<string>): string {
  const name = base === '' ? 'agent' : base;
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}-${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function nameOfUrl(address: string): string {
  const url = URL.parse(address.replace(/\$\{[^}]*\}/g, 'x'));
  if (!url) return '';
  const path = url.pathname.split('/').map(shorten).filter(Boolean);
  const isLocal = isLoopbackName(url.hostname);
  // The last label of a host name is its top level domain.
  const labels = isLocal || /^[\d.]+$/.test(url.hostname) ? [] : url.hostname.split('.').slice(0, -1);
  const host = labels.toReversed().map(shorten).find(Boolean);
  return host ?? path.at(-1) ?? `agent-${portOf(url)}`;
}

function nameOfCommand({ command, args, cwd, ...rest }: AgentPlace & { readonly type: 'stdio' }): string {
  const [first = '', second = '', ...others] = args;
  if (/^cmd(?:\.exe)?$/i.test(command) && /^\/c$/i.test(first) && second !== '')
    return nameOfCommand({ ...rest, command: second, args: others });
  const program = lastPart(command).replace(/\.(?:exe|cmd|bat)$/i, '');
  const options = RUNNERS.get(program.toLowerCase());
  const words = options ? listOperands(args, options) : [command];
  for (const word of words) {
    const name = nameOfWord(word);
    if (name !== '') return name;
  }
  const directory = args[args.findIndex(arg => /^--(?:directory|project)$/.test(arg)) + 1];
  return nameOfWord(directory ?? '') || nameOfWord(cwd ?? '') || shorten(program);
}

/** The words of a command that are no options and no values of options; `-m module` is the module. */
function listOperands(args: readonly string[], withValue: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (withValue.has(arg)) at++;
    else if (!arg.startsWith('-') && !VERBS.has(arg)) found.push(arg);
  }
  return found.slice(0, 1);
}

/** The name in a package (`@scope/server-x@latest`), an image (`ghcr.io/x/x-server:1`) or a path. */
function nameOfWord(word: string): string {
  const isPath =
    /^(?:[./~\\]|[A-Za-z]:[\\/]|\$\{)/.test(word) || /\.(?:[cm]?[jt]sx?|py|jar|dll)$/i.test(word);
  const parts = word.split(/[\\/]/).filter(Boolean);
  if (isPath) {
    const names = parts.map(part => shorten(part.replace(/\.(?:[cm]?[jt]sx?|py|jar|dll|exe)$/i, '')));
    return names.findLast(Boolean) ?? '';
  }
  const plain = parts.map(part =>
    shorten(
      part
        .replace(/^@/, '')
        .replace(/^git\+https?:$/, '')
        .split(/[@:[]/, 1)[0] ?? '',
    ),
  );
  return plain.findLast(Boolean) ?? '';
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Removes the words that most names of servers share; empty for a name of such words only. */
function shorten(name: string): string {
  const slug = trimOf(name.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-'), '-.');
  if (GENERIC.test(slug)) return '';
  const words = slug.split('-');
  const own = words.filter(word => !/^(?:mcp|server|servers)$/.test(word));
  const ownName = own.join('-');
  return own.length === 0 || GENERIC.test(ownName) ? '' : ownName;
}
