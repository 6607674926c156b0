import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IS_FULL_SIZE, itAtFullSize } from '../../support/size.ts';
import { bundleClient, listScenarios, runScenario, type Verdict } from './suite.ts';

/** The scenarios of the official suite (MCP conformance 0.1.16, `list --client`). */
const SCENARIOS = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/client-credentials-basic',
] as const;

/** One scenario of each kind: those that run in the gate, where each costs a second of processor time. */
const IN_GATE: ReadonlySet<string> = new Set([
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'auth/basic-cimd',
  'auth/scope-step-up',
]);

/** Those that are left out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt':
    'an extension (SEP-1046): the client signs with a private key, and agents.json knows clients with a name and a secret',
  'auth/cross-app-access-complete-flow':
    "an extension (SEP-990): the client is given a company's identity token, and there is nothing in agents.json to give one",
};

/** On a busy machine the suite finds that we came late; that we came before our time would be a fault. */
const LATE = /^client-sse-retry-timing: Client reconnected (?:slightly|very) late /;

/** So many run at once. */
const LANES = 2;

describe('The official MCP conformance suite', () => {
  const verdicts = new Map<string, Promise<Verdict>>();
  const folder = mkdtempSync(join(tmpdir(), 'parley-conformance-'));

  before(async () => {
    await bundleClient(folder);
    const names = IS_FULL_SIZE ? [...SCENARIOS, ...Object.keys(LEFT_OUT)] : [...IN_GATE];
    const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
    for (const [at, name] of names.entries()) {
      const verdict = (lanes[at % LANES] ?? Promise.resolve()).then(() => runScenario(name, folder));
      lanes[at % LANES] = verdict.catch(() => undefined);
      verdicts.set(name, verdict);
    }
  });

  after(async () => {
    await Promise.allSettled(verdicts.values());
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists no scenario but these', async () => {
    const known = [...SCENARIOS, ...Object.keys(LEFT_OUT)];
    assert.deepEqual([...(await listScenarios())].sort(), known.sort());
  });

  for (const name of SCENARIOS) {
    const test = IN_GATE.has(name) ? it : itAtFullSize;
    test(name, async () => {
      const verdict = await verdicts.get(name);
      assert.ok(verdict);
      const faults = verdict.faults.filter(fault => !LATE.test(fault));
      const isLate = faults.length < verdict.faults.length;
      assert.deepEqual(faults, [], verdict.output);
      assert.equal(verdict.exitCode, isLate ? 1 : 0, verdict.output);
      assert.ok(verdict.met > 0, 'The suite saw nothing of us');
    });
  }

  for (const [name, reason] of Object.entries(LEFT_OUT)) {
    itAtFullSize(`${name} is left out: ${reason}`, async () => {
      const verdict = await verdicts.get(name);
      // One that passes is left out no longer.
      assert.equal(verdict?.exitCode, 1, verdict?.output);
    });
  }
});
