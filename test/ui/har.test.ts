import { OPEN } from '../agents/support/open-options.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import { startDemoAgents } from '../../agents/demo/start.ts';
import { openAgent } from '../../agents/open-agent.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { exportTraceText } from '../../trace/export/export.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { openPage } from '../../scripts/vscode/browser.ts';
import { takeBrowser } from './support/shared-browser.ts';

const NO_VARIABLES = {
  env: () => undefined,
  demo: () => undefined,
  input: () => undefined,
  secret: () => undefined,
  workspaceFolder: () => undefined,
};
const QUIET = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};

describe('a trace as HAR', () => {
  it('is read by a browser, which answers from it what the agent answered', async () => {
    const demo = await startDemoAgents();
    const url = demo.addresses.get('toolbox') ?? '';
    const events: TraceEvent[] = [];
    const request = 'CALL|text.reverse|Grüße, “quoted” \\| piped';
    let said = '';
    try {
      const { agents } = parseAgentsFile(
        JSON.stringify({ agents: { toolbox: { type: 'http', protocol: 'aicf', url } } }),
      );
      const config = agents.get('toolbox');
      assert.ok(config);
      const agent = await openAgent(config, NO_VARIABLES, event => events.push(event), {
        ...OPEN,
        language: 'aicf',
      });
      assert.ok(agent.ok);
      const sent = { wireText: request, title: 'text.reverse' };
      said = (await agent.send(sent, QUIET, new AbortController().signal).reply).text;
      await agent.close();
    } finally {
      await demo.close();
    }
    const folder = await mkdtemp(join(tmpdir(), 'parley-har-'));
    const page = await openPage(await takeBrowser(), 'light');
    try {
      const file = join(folder, 'trace.har');
      await writeFile(file, await exportHar(events));
      // What is none of the recording's is a page of the same origin, so that the browser may ask.
      await page.route('**/*', route => route.fulfill({ contentType: 'text/html', body: '' }));
      await page.routeFromHAR(file, { url: url, notFound: 'abort' });
      await page.goto(new URL('/', url).href);
      const answered = await page.evaluate(
        async ([at = '', body = '']) => (await fetch(at, { method: 'POST', body })).text(),
        [url, request],
      );
      assert.equal(answered.trimEnd(), said.trimEnd());
      assert.match(said, /^OK\|/);
    } finally {
      await page.context().close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function exportHar(events: readonly TraceEvent[]): Promise<string> {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  const isPayload = (event: TraceEvent): event is HeadEvent | WireEvent =>
    event.type === 'head' || event.type === 'wire';
  const payload = (call: string): Promise<readonly (HeadEvent | WireEvent)[]> =>
    Promise.resolve(events.filter(isPayload).filter(event => event.call === call));
  return exportTraceText('har', { protocols: ALL_PROTOCOLS, trees: fold.trees(), payload });
}
