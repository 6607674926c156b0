import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A package that is completely or partly in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression in its package.json. */
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[];
  /** The `sha512-…` checksum in package-lock.json; undefined if there is none. */
  readonly integrity: string | undefined;
}

const FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice|third[-_]?party)/i;

/**
 * The packages in bundles, each name and version once. `root` is the project's folder; `sources` are the
 * paths in the bundles' source maps, which also name packages that a library has bundled into its own files.
 * Throws if a package names no licence or has no licence text.
 */
export function listBundledPackages(
  root: string,
  metafiles: Iterable<Metafile>,
  sources: Iterable<string>,
): readonly BundledPackage[] {
  const folders = new Set<string>();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = bytesInOutput > 0 ? FOLDER.exec(path)?.[0] : undefined;
        if (folder !== undefined) folders.add(folder);
      }
  const locked = readLock(root);
  const packages = [
    ...[...folders].map(folder => readPackageFolder(root, folder, locked.get(folder))),
    ...listNested(sources).map(({ name, version }) => ({
      // This version is not installed: the licence is read from the installed version, and there is no checksum.
      ...readPackageFolder(root, `node_modules/${name}`, undefined),
      version,
    })),
  ];
  const byName = new Map(packages.map(each => [`${each.name}@${each.version}`, each]));
  return [...byName.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

const NESTED = /\/node_modules\/\.pnpm\/[^/]*?@(\d[^/_]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Packages in the published files of a library, with the versions named in its source maps. */
function listNested(
  sources: Iterable<string>,
): readonly { readonly name: string; readonly version: string }[] {
  const found = new Map<string, { readonly name: string; readonly version: string }>();
  for (const source of sources) {
    const [, version = '', name = ''] = NESTED.exec(source) ?? [];
    if (name !== '') found.set(name, { name, version });
  }
  return [...found.values()];
}

function readPackageFolder(root: string, folder: string, integrity: string | undefined): BundledPackage {
  const manifest = readJson(join(root, folder, 'package.json'));
  const [name, version, license] = [manifest['name'], manifest['version'], manifest['license']];
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string')
    throw new Error(`${folder}/package.json names no licence, so it cannot be bundled; replace that package`);
  const files = readdirSync(join(root, folder))
    .filter(file => LICENSE_FILE.test(file))
    .sort();
  const texts = files.map(file =>
    readFileSync(join(root, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim(),
  );
  if (texts.length === 0)
    throw new Error(
      `${folder} has no text of its licence (${license}), so it cannot be bundled; replace that package`,
    );
  return { name, version, license, texts, integrity };
}

/** The checksums in package-lock.json by folder. */
function readLock(root: string): ReadonlyMap<string, string> {
  const { packages } = readJson(join(root, 'package-lock.json'));
  if (typeof packages !== 'object' || packages === null) return new Map();
  return new Map(
    Object.entries(packages).flatMap(([folder, locked]: [string, unknown]) => {
      const integrity: unknown =
        typeof locked === 'object' && locked !== null && 'integrity' in locked ? locked.integrity : undefined;
      return typeof integrity === 'string' ? [[folder, integrity] as const] : [];
    }),
  );
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The licences and notices of bundled packages as one text. */
export function printNotices(packages: readonly BundledPackage[]): string {
  const head =
    'Parley contains the following packages. Their licences and notices follow; that of Parley itself is in LICENSE.txt.';
  const list = packages.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n');
  const texts = packages.map(({ name, version, texts: own }) =>
    [`${'='.repeat(80)}\n${name} ${version}\n${'='.repeat(80)}`, ...own].join('\n\n'),
  );
  return `${[head, list, ...texts].join('\n\n')}\n`;
}

/** The bill of materials in CycloneDX 1.6. The output is deterministic, without timestamps and random numbers. */
export function printBillOfMaterials(
  product: { readonly name: string; readonly version: string; readonly license: string },
  packages: readonly BundledPackage[],
): string {
  const own = `pkg:generic/${product.name}@${product.version}`;
  const refs = packages.map(purlOf);
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: {
          type: 'application',
          'bom-ref': own,
          name: product.name,
          version: product.version,
          licenses: [{ expression: product.license }],
          purl: own,
        },
      },
      components: packages.map(each => ({
        type: 'library',
        'bom-ref': purlOf(each),
        ...nameOf(each),
        version: each.version,
        ...hashOf(each),
        licenses: [{ expression: each.license }],
        purl: purlOf(each),
      })),
      dependencies: [{ ref: own, dependsOn: refs }, ...refs.map(ref => ({ ref }))],
    },
    undefined,
    2,
  )}\n`;
}

/** The package URL (purl) of an npm package. */
function purlOf({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function nameOf({ name }: BundledPackage): { readonly group?: string; readonly name: string } {
  const [, group, plain = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return { ...(group === undefined ? {} : { group }), name: plain };
}

function hashOf({ integrity = '' }: BundledPackage): object {
  const [, base64] = /^sha512-(\S+)/.exec(integrity) ?? [];
  if (base64 === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] };
}
