import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { listSources } from '../../scripts/architecture/graph.ts';
import { findProtocolNames } from '../../scripts/architecture/protocol-names.ts';
import { ROOT } from '../../scripts/root.ts';

describe('general code', () => {
  it('asks for no protocol by its name', () => {
    const found = listSources(ROOT).flatMap(path =>
      findProtocolNames(path, readFileSync(join(ROOT, path), 'utf8')),
    );
    assert.deepEqual(found, []);
  });

  const PLANTED: readonly (readonly [line: string, what: string])[] = [
    [`if (protocol === 'mcp') go();`, 'a comparison'],
    [`const is = 'a2a' !== name;`, 'a comparison'],
    [`switch (name) { case 'responses': go(); }`, 'a case'],
    [`const WORDS: Record<ProtocolName, string> = { mcp: '', a2a: '', 'agent-api': '' };`, 'a table'],
    [`const RPC = new Set(['mcp', 'json-rpc']);`, 'a table'],
    [`const CODES = new Map([['mcp', 1], ['aio', 2]]);`, 'a table'],
    [`if (call.protocol === 'aicl') go();`, 'a comparison'],
    [`if (to !== 'aicf') go();`, 'a comparison'],
    [`if (options.from === 'aicl') go();`, 'a comparison'],
    [`if (name.scheme === 'openstarry') go();`, 'a comparison'],
    [`if (ALL_PROTOCOLS.find('mcp')) go();`, 'a look-up'],
    [`if (names.has('a2a')) go();`, 'a look-up'],
    [`const path = PATHS['json-rpc'];`, 'a look-up'],
  ];
  for (const [line, what] of PLANTED)
    it(`has a planted violation reported: ${line}`, () => {
      assert.deepEqual(findProtocolNames('trace/x.ts', line), [`trace/x.ts:1: ${what}`]);
      for (const path of [
        'protocols/mcp/x.ts',
        'agents/mcp/x.ts',
        'agents/demo/x.ts',
        'protocols/all.ts',
        'protocols/servers.ts',
      ])
        assert.deepEqual(findProtocolNames(path, line), []);
    });

  it('may name languages, formats and one protocol', () => {
    const lines = `if (language === 'aicl' || layer === 'aicf') write({ from: 'mcp' });`;
    assert.deepEqual(findProtocolNames('trace/x.ts', lines), []);
  });
});
