import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { itAtFullSize } from '../../support/size.ts';
import { listScenarios, runServerScenario } from '../mcp-conformance/suite.ts';
import { agentOf, bridge, type TestBridge } from './support.ts';

/** The scenarios of the official suite (MCP conformance 0.1.16, `list --server`). */
const SCENARIOS = [
  'server-initialize',
  'logging-set-level',
  'ping',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'json-schema-2020-12',
  'elicitation-sep1034-defaults',
  'server-sse-multiple-streams',
  'elicitation-sep1330-enums',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

/** Those that run in the gate, where each costs a second of processor time. */
const IN_GATE: ReadonlySet<string> = new Set([
  'server-initialize',
  'tools-list',
  'tools-call-mixed-content',
  'tools-call-with-progress',
  'tools-call-elicitation',
]);

/** Those that are left out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'tools-call-with-logging': 'log messages of an agent are notes of its call in the trace',
  'server-sse-polling': 'a reply is never split over several streams',
  'resources-subscribe': 'a bridge does not declare subscriptions',
  'resources-unsubscribe': 'a bridge does not declare subscriptions',
  'dns-rebinding-protection': 'no page is served, so requests of pages are refused whatever their origin',
};

describe('The official MCP conformance suite against a bridge to an MCP server', () => {
  let bridged: TestBridge;
  const folder = mkdtempSync(join(tmpdir(), 'parley-conformance-'));
  before(async () => {
    const agent = agentOf({
      protocol: 'mcp',
      type: 'stdio',
      command: process.execPath,
      args: ['test/agents/mcp/servers/conformance-stdio.ts'],
    });
    bridged = await bridge(agent, 'mcp');
  });
  after(async () => {
    await bridged.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists no scenario but these', async () => {
    const known = [...SCENARIOS, ...Object.keys(LEFT_OUT)];
    assert.deepEqual([...(await listScenarios('server'))].sort(), known.sort());
  });

  for (const name of SCENARIOS) {
    const test = IN_GATE.has(name) ? it : itAtFullSize;
    test(name, async () => {
      const { faults, met, output } = await runServerScenario(name, bridged.address, folder);
      assert.deepEqual(faults, [], output);
      assert.ok(met > 0, 'The suite saw nothing of us');
    });
  }

  for (const [name, reason] of Object.entries(LEFT_OUT))
    itAtFullSize(`${name} is left out: ${reason}`, async () => {
      const { faults, met, output } = await runServerScenario(name, bridged.address, folder);
      // One that passes is left out no longer.
      assert.ok(faults.length > 0 || met === 0, output);
    });
});
