import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'mocha';
import { COMMANDS } from '../../cli/src/commands/index.ts';
import type { Manifest } from '../../client/src/features/manifest.ts';
import { MANIFESTS } from '../../client/src/features/manifests.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { ROOT } from '../../scripts/root.ts';

/** The Markdown files that people read. */
const PAGES = globSync(['*.md', 'docs/**/*.md', 'samples/*.md', 'npm/**/*.md', '.github/**/*.md'], {
  cwd: ROOT,
}).map(path => path.replaceAll('\\', '/'));
/** A picture loads with its page. */
const MAX_PICTURE_BYTES = 150_000;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The text without what is code. */
function withoutCode(text: string): string {
  return text.replace(/^( *)```[^]*?^\1```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(/^( *)```[^]*?^\1```/gm, '').matchAll(/^#+ (.*)$/gm)) {
    const words = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase();
    const base = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = base;
    for (let number = 1; anchors.has(anchor); number++) anchor = `${base}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links and pictures that lead nowhere. */
function findBrokenLinks(path: string, text: string): readonly string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*"| '[^']*')?\)/g)].flatMap(
    ([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file)).replaceAll('\\', '/');
      if (!existsSync(join(ROOT, target))) return [`${path}: there is no ${target}`];
      if (anchor === undefined || !target.endsWith('.md')) return [];
      return anchorsOf(read(target)).has(anchor) ? [] : [`${path}: ${target} has no heading #${anchor}`];
    },
  );
}

/** Titles of commands as the palette shows them, in text that is bold or code. */
function findUnknownCommands(path: string, text: string): readonly string[] {
  const titles = new Set(
    MANIFESTS.flatMap(({ category, commands }: Manifest) => commands.map(row => `${category}: ${row.title}`)),
  );
  return [...text.matchAll(/(\*\*|["`])(Parley(?: \p{Lu}\p{L}+)?: [^*"`\n]+)\1/gu)].flatMap(
    ([, , title = '']) =>
      titles.has(title) || titles.has(`${title}…`) ? [] : [`${path}: there is no command ${title}`],
  );
}

/** Commands of the command line in code, but for those that are said to be planned. */
function findUnknownPrograms(path: string, text: string): readonly string[] {
  const known = new Set(COMMANDS.map(({ name }) => name));
  return [...text.matchAll(/(?:^ *(?:\$ )?|`)parley ([a-z][a-z-]*)/gm)].flatMap(([, name = '']) =>
    known.has(name) || text.includes(`not built yet: \`parley ${name}\``)
      ? []
      : [`${path}: there is no command parley ${name}`],
  );
}

/** Marks of Parley in a comparison whose test does not exist, or that have none. The title of a link is that of the test. */
function findUnproven(text: string): readonly string[] {
  const rows = [...text.matchAll(/^\| ([^|]*?) +\| ([^|]*?) +\|/gm)].filter(
    ([, feature = '']) => feature !== 'feature' && !feature.startsWith('--'),
  );
  return rows.flatMap(([, feature, mark = '']) => {
    if (mark === 'no') return [];
    const [, path, ...titles] =
      /^\[(?:yes|partly)\]\(\.\.\/(test\/[^ )]+) (?:"([^"]+)"|'([^']+)')\)/.exec(mark) ?? [];
    const title = titles.find(each => each !== undefined);
    if (path === undefined || title === undefined) return [`${feature}: '${mark}' is not proven`];
    if (!existsSync(join(ROOT, path))) return [`${feature}: there is no ${path}`];
    return read(path).includes(title) ? [] : [`${feature}: ${path} has no '${title}'`];
  });
}

describe('the pages', () => {
  const pages = PAGES.filter(path => path !== 'CHANGELOG.md').map(path => [path, read(path)] as const);

  it('have links that lead somewhere', () => {
    assert.ok(pages.length > 30);
    assert.deepEqual(
      pages.flatMap(([path, text]) => findBrokenLinks(path, text)),
      [],
    );
  });

  it('name commands that exist', () => {
    assert.deepEqual(
      pages.flatMap(([path, text]) => [
        ...findUnknownCommands(path, text),
        ...findUnknownPrograms(path, text),
      ]),
      [],
    );
  });

  it('are reached from docs/README.md', () => {
    const index = read('docs/README.md');
    const missing = PAGES.filter(path => /^docs\/(?!README\.md)/.test(path)).filter(
      path => !index.includes(`(${path.slice('docs/'.length)})`),
    );
    assert.deepEqual(missing, []);
  });

  it('prove what they say about Parley beside other tools', () => {
    const text = read('docs/peers.md');
    assert.ok([...text.matchAll(/\[(?:yes|partly)\]\(/g)].length > 40);
    assert.deepEqual(findUnproven(text), []);
    const own = 'test/architecture/pages.test.ts';
    const gone = ['no', 'such', 'title'].join(' ');
    assert.deepEqual(
      findUnproven(
        [
          '| feature | Parley | Other |',
          '| --- | --- | --- |',
          '| one | yes | no |',
          `| two | [yes](../test/gone.test.ts "a") | no |`,
          `| three | [partly](../${own} "${gone}"): why | no |`,
          `| four | [yes](../${own} "have small pictures") | no |`,
          '| five | no | yes |',
        ].join('\n'),
      ),
      ["one: 'yes' is not proven", 'two: there is no test/gone.test.ts', `three: ${own} has no '${gone}'`],
    );
  });

  it('have small pictures, and no picture is in none of them', () => {
    const shown = new Set(
      pages.flatMap(([path, text]) =>
        [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, link = '']) =>
          normalize(join(dirname(path), link)),
        ),
      ),
    );
    const pictures = globSync('docs/images/*', { cwd: ROOT }).map(path => normalize(path));
    assert.deepEqual(pictures.sort(), [...shown].sort());
    for (const path of pictures) {
      const { size } = statSync(join(ROOT, path));
      assert.ok(size <= MAX_PICTURE_BYTES, `${path} has ${size} bytes`);
    }
  });

  it('have examples without errors on the first page', () => {
    const blocks = [...read('README.md').matchAll(/```(aic[fl])\n([^]*?)```/g)];
    assert.equal(blocks.length, 2);
    for (const [, language, text = ''] of blocks)
      assert.deepEqual(
        LANGUAGE_SUPPORT[language === 'aicl' ? 'aicl' : 'aicf'].open(text, DEFAULT_SETTINGS).validate(),
        [],
      );
  });

  it('with a broken link or an unknown command are reported', () => {
    const text = '[a](gone.md) [b](README.md#no-such-part) **Parley: Fly** `parley fly`';
    assert.deepEqual(
      [
        ...findBrokenLinks('docs/x.md', text),
        ...findUnknownCommands('x', text),
        ...findUnknownPrograms('x', text),
      ],
      [
        'docs/x.md: there is no docs/gone.md',
        'docs/x.md: docs/README.md has no heading #no-such-part',
        'x: there is no command Parley: Fly',
        'x: there is no command parley fly',
      ],
    );
  });
});
