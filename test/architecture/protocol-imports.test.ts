import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readGraph, readImports } from '../../scripts/architecture/graph.ts';
import { EXCEPTIONS, findProtocolImports } from '../../scripts/architecture/protocol-imports.ts';
import { ROOT } from '../../scripts/root.ts';

const GRAPH = readGraph(ROOT);

describe('general code', () => {
  it('imports no file of a protocol, and gets the list of all protocols as an argument', () => {
    assert.deepEqual(findProtocolImports(GRAPH), []);
  });

  it('has no exception that nothing needs', () => {
    const needed = new Set(findProtocolImports(GRAPH, []).map(found => found.replace(/:\d+: .*/, '')));
    assert.deepEqual(
      EXCEPTIONS.filter(({ from, reason }) => !needed.has(from) || reason === ''),
      [],
    );
  });

  const PLANTED: readonly (readonly [path: string, line: string, what: string])[] = [
    ['agents/tracked.ts', `import { a } from '../protocols/aicf/protocol.ts';`, 'a file of aicf'],
    ['agents/http/x.ts', `import { a } from '../mcp/call.ts';`, 'a file of mcp'],
    ['agents/agent-api/x.ts', `import { a } from '../responses/approvals.ts';`, 'a file of responses'],
    ['agents/a2a/x.ts', `import type { A } from '../../protocols/mcp/shape.ts';`, 'a file of mcp'],
    ['protocols/convert/x.ts', `export * from '../aicl/shape.ts';`, 'a file of aicl'],
    ['protocols/json/x.ts', `import { a } from '../json-rpc/shape.ts';`, 'a file of json-rpc'],
    ['trace/x.ts', `const late = await import('../protocols/aio/parts.ts');`, 'a file of aio'],
    ['client/src/sending/x.ts', `import { a } from '../../../protocols/a2a/card.ts';`, 'a file of a2a'],
    ['client/src/agents/sign-out.ts', `import { a } from '../../../agents/mcp/call.ts';`, 'a file of mcp'],
    ['cli/src/x.ts', `import { a } from '../../protocols/responses/shape.ts';`, 'a file of responses'],
    ['protocols/convert/x.ts', `import { a } from '../all.ts';`, 'a list of all protocols'],
    ['trace/fold/x.ts', `import { a } from '../../protocols/all.ts';`, 'a list of all protocols'],
    ['agents/bridge/x.ts', `import { a } from '../../protocols/servers.ts';`, 'a list of all protocols'],
    ['agents/http/x.ts', `import { a } from '../all.ts';`, 'a list of all protocols'],
  ];
  for (const [path, line, what] of PLANTED)
    it(`has a planted violation reported: ${path}: ${line}`, () => {
      assert.deepEqual(findProtocolImports(readImports(path, line)), [`${path}:1: ${what}`]);
    });

  it('is neither a protocol itself, nor a list, a demo agent, a program or a test', () => {
    const lines: readonly (readonly [path: string, line: string])[] = [
      ['protocols/mcp/server/x.ts', `import { a } from '../shape.ts';`],
      ['agents/mcp/x.ts', `import { a } from '../../protocols/mcp/shape.ts';`],
      ['protocols/all.ts', `import { a } from './a2a/protocol.ts';`],
      ['agents/all.ts', `import { a } from './a2a/connection.ts';`],
      ['agents/demo/x.ts', `import { a } from '../../protocols/aicl/protocol.ts';`],
      ['cli/src/x.ts', `import { a } from '../../protocols/all.ts';`],
      ['test/x.ts', `import { a } from '../protocols/aicl/protocol.ts';`],
    ];
    assert.deepEqual(
      lines.flatMap(([path, line]) => findProtocolImports(readImports(path, line))),
      [],
    );
  });
});
