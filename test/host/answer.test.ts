import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { window } from 'vscode';
import { defer } from '../../client/src/base/deferred.ts';
import { offerAnswer } from '../../client/src/sending/answer.ts';
import type { AgentService, CallOutcome, CallRequest } from '../../client/src/services/agent-service.ts';

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]';
const QUERY = `${HEAD}:[s:report],[s:msg_type]:[s:data_query],[s:query]:[s:cities]]`;
const TEXT = "The agent waits for the answer to its query for 'cities'";
const REQUEST: CallRequest = {
  agent: 'analyst',
  title: 'x',
  wireText: `${HEAD}:[s:report],[s:msg_type]:[s:task_request],[s:task]:[s:x],[s:constraints]:[d:]]`,
  language: 'aicl',
  warningPolicy: 'hold',
  timeout: 5,
};
const WAITING: CallOutcome = {
  status: 'ok',
  text: QUERY,
  isProtocol: true,
  question: { protocol: 'aicl', session: 'report', text: TEXT, asks: TEXT, request: QUERY },
};

describe('an agent that waits for an answer', () => {
  const originals = (['showInformationMessage', 'createQuickPick'] as const).map(
    name => [name, Object.getOwnPropertyDescriptor(window, name)] as const,
  );
  afterEach(() => {
    for (const [name, original] of originals) if (original) Object.defineProperty(window, name, original);
  });

  /** Chooses a button of the notification; resolves with its text once it was shown. */
  function choose(button: string): Promise<string> {
    const shown = defer<string>();
    Object.defineProperty(window, 'showInformationMessage', {
      configurable: true,
      value: (message: string, ...actions: readonly string[]) => {
        shown.resolve(message);
        return Promise.resolve(actions.find(each => each.startsWith(button)));
      },
    });
    return shown.promise;
  }

  const noAgents = { list: () => Promise.resolve({ agents: [], problems: [] }) } as unknown as AgentService;

  it('is answered with a message that the user writes', async () => {
    const shown = choose('Write answer');
    const opened = defer<string>();
    const listening = window.onDidChangeActiveTextEditor(editor => {
      const text = editor?.document.getText() ?? '';
      if (text.includes('msg_type')) opened.resolve(text);
    });
    offerAnswer(noAgents, REQUEST, WAITING, () => Promise.reject(new Error('nothing is sent')));
    assert.equal(await shown, `analyst: ${TEXT}.`);
    const text = await opened.promise;
    listening.dispose();
    assert.match(
      text,
      /^# @agent analyst\n\[d:\n {2}\[s:protocol\]:\[s:LightAICL\],\n {2}\[s:session_id\]:\[s:report\],/,
    );
  });

  it('is not offered an answer if it waits for none', () => {
    let count = 0;
    Object.defineProperty(window, 'showInformationMessage', { configurable: true, value: () => count++ });
    offerAnswer(noAgents, REQUEST, { status: 'ok', text: QUERY, isProtocol: true }, () => Promise.resolve());
    assert.equal(count, 0);
  });
});
