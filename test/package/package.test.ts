import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { PACKED_FOLDER, readPackage, type Package } from '../../scripts/package.ts';
import { ROOT } from '../../scripts/root.ts';

const GOLDEN = join(ROOT, 'test/golden/package-files.txt');

/** A package that is larger has taken in something that it should not. */
const MAX_BYTES = 3.5e6;
/** The files of code that several bundles share; their hashes change with their content. */
const CHUNK = /^extension\/dist\/chunk-[A-Z0-9]{8}\.js$/;

/** The golden text; UPDATE=1 writes it anew, but never in CI, where it would prove nothing. */
function readGolden(path: string, actual: string): string {
  if (process.env['UPDATE'] === '1' && process.env['CI'] === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : `${path} is missing; write it with UPDATE=1`;
}

describe('the package', () => {
  let built: Package;
  before(async () => {
    built = await readPackage();
  });

  it('holds exactly the files of test/golden/package-files.txt', () => {
    const names = built.entries.map(({ name }) => name.replace(CHUNK, 'extension/dist/chunk-HASH.js'));
    const files = `${[...new Set(names)].sort().join('\n')}\n`;
    assert.deepEqual(files.split('\n'), readGolden(GOLDEN, files).split('\n'));
  });

  it('is small', () => {
    console.log(`package: ${(built.bytes / 1024).toFixed(0)} KiB, ${built.entries.length} files`);
    assert.ok(built.bytes < MAX_BYTES, `${built.bytes} bytes`);
  });

  it('links from SECURITY.md to the repository, because tests are not in the package', () => {
    const links = (text: string): readonly string[] =>
      [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link);
    const own = links(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8'));
    assert.ok(own.length > 20);
    assert.deepEqual(
      links(readPacked('SECURITY.md')),
      own.map(link => `https://github.com/parley/parley/blob/HEAD/${link}`),
    );
  });

  it('has the licence of each package that its bundles contain, and lists it in a bill of materials', () => {
    const folder = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;
    const bundled = new Set<string>();
    for (const map of globSync('dist/**/*.js.map', { cwd: PACKED_FOLDER })) {
      const { sources } = JSON.parse(readFileSync(join(PACKED_FOLDER, map), 'utf8')) as { sources: string[] };
      for (const source of sources) bundled.add(folder.exec(source)?.[1] ?? '');
    }
    bundled.delete('');
    // A part of the client's own repository, under its licence.
    bundled.delete('@modelcontextprotocol/core-internal');
    assert.ok(bundled.size > 20);
    const notices = readPacked('THIRD-PARTY-NOTICES.txt');
    const { components } = JSON.parse(readPacked('sbom.cdx.json')) as { components: Component[] };
    assert.deepEqual(
      [
        ...new Set(components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))),
      ].sort(),
      [...bundled].sort(),
    );
    let hashed = 0;
    for (const { group, name, version, licenses, purl, hashes } of components) {
      const full = group === undefined ? name : `${group}/${name}`;
      const own =
        notices.split(`\n${full} ${version}\n${'='.repeat(80)}\n`)[1]?.split(`\n${'='.repeat(80)}\n`)[0] ??
        '';
      assert.match(own, /permission|licen[cs]e/i, full);
      assert.match(own, /copyright|apache license|blue oak/i, full);
      assert.match(licenses[0]?.expression ?? '', /^[A-Za-z0-9.-]+$/);
      assert.equal(purl, `pkg:npm/${full.replace('@', '%40')}@${version}`);
      if (hashes) hashed++;
      for (const { content } of hashes ?? []) assert.match(content, /^[0-9a-f]{128}$/);
    }
    // Packages inside the files of a library have no archive of their own here.
    assert.ok(hashed > 20);
  });

  it('has a bill of materials that the same inputs make again, byte for byte', () => {
    const text = readPacked('sbom.cdx.json');
    const bom = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(Object.keys(bom), [
      '$schema',
      'bomFormat',
      'specVersion',
      'version',
      'metadata',
      'components',
      'dependencies',
    ]);
    assert.deepEqual([bom['bomFormat'], bom['specVersion'], bom['version']], ['CycloneDX', '1.6', 1]);
    assert.doesNotMatch(text, /timestamp|serialNumber/);
  });

  /** A file of the package as it was packed. */
  function readPacked(name: string): string {
    const text = readFileSync(join(PACKED_FOLDER, name), 'utf8');
    const entry = built.entries.find(each => each.name === `extension/${name}`);
    assert.equal(entry?.size, Buffer.byteLength(text));
    return text;
  }
});

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly { readonly expression: string }[];
  readonly purl: string;
  readonly hashes?: readonly { readonly content: string }[];
}
