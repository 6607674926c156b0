import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { transform, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

/** The comment at the end of a script that names its source map. */
const MAP_COMMENT = '//# sourceMappingURL=';

/**
 * Options of a build that puts code of several bundles into files that they share, `chunk-HASH.js` beside them.
 * esbuild splits ES modules only, so each file is transformed to CommonJS, the format of every host, before it is written.
 */
export function splitOptions(options: BuildOptions): BuildOptions {
  return {
    ...options,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[hash]',
    sourcemap: 'inline',
    write: false,
    plugins: [...(options.plugins ?? []), toCommonJs(options)],
  };
}

function toCommonJs(options: BuildOptions): Plugin {
  return {
    name: 'to-common-js',
    setup(build) {
      build.onEnd(async ({ outputFiles = [] }) => {
        await Promise.all(outputFiles.map(({ path, text }) => writeCommonJs(path, text, options)));
      });
    },
  };
}

async function writeCommonJs(path: string, text: string, options: BuildOptions): Promise<void> {
  const { code, map } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: options.target ?? 'esnext',
    minify: options.minify ?? false,
    legalComments: 'none',
    sourcemap: 'external',
    sourcefile: basename(path),
  });
  const end = options.sourcemap === 'linked' ? `${MAP_COMMENT}${basename(path)}.map\n` : '';
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code + end);
  await writeFile(`${path}.map`, map);
}

/** The part of the metafile of a split build that is about one bundle: what it and the files that it loads contain. */
export function selectBundle(whole: Metafile, entry: string, output: string): Metafile {
  const inputs = findReached(entry, path => whole.inputs[path]?.imports);
  const files = Object.entries(whole.outputs).find(([, { entryPoint }]) => entryPoint === entry)?.[0] ?? '';
  const outputs = [...findReached(files, path => whole.outputs[path]?.imports)].map(
    path => whole.outputs[path],
  );
  return {
    inputs: Object.fromEntries(Object.entries(whole.inputs).filter(([path]) => inputs.has(path))),
    outputs: {
      [output]: {
        bytes: outputs.reduce((sum, one) => sum + (one?.bytes ?? 0), 0),
        inputs: Object.fromEntries(outputs.flatMap(one => Object.entries(one?.inputs ?? {}))),
        imports: outputs.flatMap(one => one?.imports.filter(({ external }) => external) ?? []),
        exports: [],
      },
    },
  };
}

interface Import {
  readonly path: string;
  readonly external?: boolean;
}

/** The paths that are reached from one by imports, itself included. */
function findReached(
  from: string,
  importsOf: (path: string) => readonly Import[] | undefined,
): ReadonlySet<string> {
  const reached = new Set([from]);
  for (const path of reached)
    for (const one of importsOf(path) ?? []) if (one.external !== true) reached.add(one.path);
  return reached;
}
