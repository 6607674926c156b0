import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readStatements, type DocumentStatements } from '../../scripts/generate/documents.ts';
import { walkSource } from '../../scripts/architecture/syntax.ts';
import { ROOT } from '../../scripts/root.ts';

/** What is wrong with lists of statements: one line for each fault. */
function findFaults(documents: readonly DocumentStatements[]): readonly string[] {
  return documents.flatMap(({ document, statements }) =>
    statements.flatMap(({ section, statement, proof, note = '' }) => {
      const where = `${document} ${section}, "${statement}"`;
      const faults = proof.flatMap(({ path, title }) => {
        if (!existsSync(join(ROOT, path))) return [`${where}: there is no ${path}`];
        const isFound = title === undefined || readFileSync(join(ROOT, path), 'utf8').includes(title);
        return isFound ? [] : [`${where}: ${path} has no '${title}'`];
      });
      return proof.length === 0 && note === '' ? [...faults, `${where}: no proof and no reason`] : faults;
    }),
  );
}

describe('docs/reference/documents.md', () => {
  it('has a proof that exists, or a reason, for each statement of the five documents', () => {
    const documents = readStatements();
    assert.deepEqual(findFaults(documents), []);
    for (const { document, statements } of documents) assert.ok(statements.length >= 20, document);
  });

  it('reports a proof that does not exist, a title that is gone, and a statement without either', () => {
    const about = { section: '1', statement: 'x' };
    const path = 'test/architecture/documents.test.ts';
    const gone = ['no', 'such', 'title'].join('-');
    const faults = findFaults([
      {
        document: 'D',
        statements: [
          { ...about, proof: [{ path: 'test/gone.test.ts' }] },
          { ...about, proof: [{ path, title: gone }] },
          { ...about, proof: [] },
          { ...about, proof: [{ path, title: 'has a proof that exists' }] },
          { ...about, proof: [], note: 'why' },
        ],
      },
    ]);
    assert.deepEqual(faults, [
      'D 1, "x": there is no test/gone.test.ts',
      `D 1, "x": ${path} has no '${gone}'`,
      'D 1, "x": no proof and no reason',
    ]);
  });
});

describe('ARCHITECTURE.md', () => {
  const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n');

  it('is one page with one picture', () => {
    assert.ok(lines.length <= 90, `${lines.length} lines`);
    assert.equal(lines.filter(line => line === '```').length, 2);
  });

  for (const title of ['How an edit is processed', 'How a reply is processed'])
    it(`shows ${title.toLowerCase()} in ten lines`, () => {
      const from = lines.indexOf(`## ${title}`) + 1;
      const to = lines.findIndex((line, at) => at > from && line.startsWith('## '));
      const steps = lines.slice(from, to).filter(line => line !== '');
      assert.deepEqual(
        steps.map(line => line.split('. ')[0]),
        Array.from({ length: 10 }, (_, at) => String(at + 1)),
      );
    });

  it('names files that exist', () => {
    const paths = [...lines.join('\n').matchAll(/`([\w-]+(?:\/[\w.-]+)+\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(paths.length >= 10);
    assert.deepEqual(
      paths.filter(path => !path.includes('NAME') && !existsSync(join(ROOT, path))),
      [],
    );
  });
});

describe('docs/adding-a-protocol.md', () => {
  const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
  const page = read('docs/adding-a-protocol.md');

  it('describes each member of a protocol', () => {
    const path = 'protocols/protocol.ts';
    const members: string[] = [];
    walkSource(path, read(path), node => {
      if (node.type !== 'TSInterfaceDeclaration' || !/^Protocol(?:Messages)?$/.test(node.id.name)) return;
      for (const member of node.body.body)
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier')
          members.push(member.key.name);
    });
    const rows = page.split('\n').filter(line => line.startsWith('| `'));
    const described = rows.flatMap(row =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    assert.deepEqual(described.toSorted(), members.toSorted());
  });

  it('shows the code of the protocol in its test', () => {
    const [transport = '', server = ''] = [...page.matchAll(/```ts\n([^]*?)```/g)].map(
      ([, code = '']) => code,
    );
    const folder = 'test/agents/ninth-protocol';
    assert.match(server, /serveToy/);
    assert.ok(read(`${folder}/serve.ts`).endsWith(server));
    const call = 'new HttpConnection(agent, TOY)';
    assert.ok(transport.includes(call) && read(`${folder}/ninth-protocol.test.ts`).includes(call));
  });
});
