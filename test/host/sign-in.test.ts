import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, UIKind, Uri, window, workspace, type SecretStorage, type UriHandler } from 'vscode';
import { openSignIn } from '../../client/src/agents/sign-in.ts';
import { SignInUris } from '../../client/src/agents/sign-in-uris.ts';
import { UserQuestions } from '../../client/src/agents/user-questions.ts';

/** Puts a function in the place of one of VS Code's, until the test has ended. */
function replace(
  name: 'registerUriHandler' | 'showWarningMessage' | 'showInformationMessage',
  value: unknown,
): () => void {
  const original = Object.getOwnPropertyDescriptor(window, name);
  Object.defineProperty(window, name, { configurable: true, value });
  return () => void (original && Object.defineProperty(window, name, original));
}

const never = new AbortController().signal;

describe('signing in by a URI that VS Code opens', () => {
  let restore: () => void;
  let handlers: UriHandler[];
  let uris: SignInUris;

  beforeEach(() => {
    handlers = [];
    restore = replace('registerUriHandler', (handler: UriHandler) => {
      handlers.push(handler);
      return { dispose: () => void handlers.splice(handlers.indexOf(handler), 1) };
    });
    uris = new SignInUris();
  });
  afterEach(() => {
    uris.dispose();
    restore();
  });

  it('takes the handler when somebody signs in, once, and gives it back', async () => {
    assert.equal(handlers.length, 0);
    const ways = [await uris.openReturn(), await uris.openReturn()];
    // In a browser it is an address of VS Code's own server, which hands the URI on.
    for (const { address } of ways) assert.match(decodeURIComponent(address), /parley\.parley.*\/signed-in/);
    assert.deepEqual(handlers, [uris]);
    uris.dispose();
    assert.equal(handlers.length, 0);
  });

  it('gives an answer to the sign-in whose state it carries, and no other', async () => {
    const [one, other] = [await uris.openReturn(), await uris.openReturn()];
    const reported: string[] = [];
    const wait = async (name: string, way: typeof one, state: string): Promise<void> => {
      const answer = await way.wait(state, never);
      reported.push(`${name}: ${answer.get('code') ?? ''}`);
    };
    const waiting = [wait('one', one, 'a'), wait('other', other, 'b')];
    const open = (path: string, query: string): void =>
      uris.handleUri(Uri.from({ scheme: 'vscode', authority: 'parley.parley', path, query }));
    open('/elsewhere', 'state=a&code=0');
    open('/signed-in', 'state=c&code=1');
    open('/signed-in', 'state=a&state=a&code=2');
    open('/signed-in', 'code=3');
    open('/signed-in', 'state=b&code=4');
    await waiting[1];
    assert.deepEqual(reported, ['other: 4']);
    open('/signed-in', 'state=a&code=5');
    await waiting[0];
    assert.deepEqual(reported, ['other: 4', 'one: 5']);
  });

  it('ends with the call that it is for, and hears nothing after it is closed', async () => {
    const way = await uris.openReturn();
    const stop = new AbortController();
    const answer = way.wait('a', stop.signal);
    way.close();
    uris.handleUri(Uri.parse('vscode://parley.parley/signed-in?state=a&code=1', true));
    // An answer would be taken by then.
    await new Promise(resolve => setTimeout(resolve, 20));
    stop.abort();
    await assert.rejects(answer, { message: 'Signing in was cancelled' });
  });
});

describe('what is asked before somebody signs in or a page opens', () => {
  let restore: () => void;
  let asked: { message: string; detail: string; buttons: readonly string[] }[];
  let answer: string | undefined;
  let questions: UserQuestions;

  beforeEach(() => {
    asked = [];
    answer = undefined;
    restore = replace(
      'showWarningMessage',
      (message: string, options?: { modal: boolean; detail: string }, ...buttons: string[]) => {
        asked.push({ message, detail: options?.modal ? options.detail : '', buttons });
        return Promise.resolve(answer);
      },
    );
    questions = new UserQuestions(Uri.file('/'));
  });
  afterEach(() => {
    questions.dispose();
    restore();
  });

  it('names the agent, its address and the one to sign in at, and goes on only at the word', async () => {
    const { browser } = openSignIn({} as SecretStorage, new SignInUris());
    assert.ok(browser);
    const about = { agent: 'coder', resource: 'https://agent.example', server: 'https://login.example' };
    const leaves: boolean[] = [];
    for (const [how, said] of [
      ['browser', undefined],
      ['browser', 'Open the browser'],
      ['secret', 'Open the browser'],
      ['secret', 'Send'],
    ] as const) {
      answer = said;
      leaves.push(await browser.askLeave({ ...about, how }, never));
    }
    assert.deepEqual(leaves, [false, true, false, true]);
    const page = {
      message: "Sign in for the agent 'coder'?",
      detail:
        'The agent at https://agent.example requires a sign-in at https://login.example. That page opens in your browser. Open it if you know that address.',
      buttons: ['Open the browser'],
    };
    const secret = {
      message: "Send the client secret of the agent 'coder' to https://login.example?",
      detail:
        'The agent at https://agent.example names that address as the token endpoint, which receives the secret. Send it if you know that address.',
      buttons: ['Send'],
    };
    assert.deepEqual(asked, [page, page, secret, secret]);
  });

  it('shows the whole address of a page that an agent wants to open, and opens no other thing', async () => {
    const url = 'https://login.example:8443/a?b=c#d';
    const results: string[] = [];
    for (const [address, said] of [
      [url, undefined],
      [url, 'Decline'],
      ['file:///etc/passwd', 'Open page'],
      ['vscode://parley.parley/x', 'Open page'],
      ['https://', 'Open page'],
    ] as const) {
      answer = said;
      results.push(await questions.openAddress({ agent: 'coder', message: 'Please', url: address }, never));
    }
    assert.deepEqual(results, ['cancel', 'decline', 'decline', 'decline', 'decline']);
    const page = {
      message: "The agent 'coder' requests that you open a page",
      detail: `Please\n\n${url}\n\nOpen it if you know the site login.example:8443.`,
      buttons: ['Open page', 'Decline'],
    };
    const refused = (address: string): object => ({
      message: `coder wants to open '${address}', which is not a web address. It was not opened.`,
      detail: '',
      buttons: [],
    });
    assert.deepEqual(asked, [
      page,
      page,
      ...['file:///etc/passwd', 'vscode://parley.parley/x', 'https://'].map(refused),
    ]);
  });

  it('runs a tool for an agent only at the word, and shows its arguments', async () => {
    const question = { agent: 'coder', tool: 'rm', arguments: '{"path":"/"}' };
    const results: boolean[] = [];
    for (const said of [undefined, 'Another button', 'Run']) {
      answer = said;
      results.push(await questions.approve(question, never));
    }
    const stop = new AbortController();
    stop.abort();
    results.push(await questions.approve(question, stop.signal));
    assert.deepEqual(results, [false, false, true, false]);
    assert.deepEqual(asked[0], {
      message: "The agent 'coder' requests approval to run the tool 'rm'",
      detail: 'With these arguments:\n{"path":"/"}',
      buttons: ['Run'],
    });
  });

  it('tells an agent the open folders only at the word, and asks it once', async () => {
    const restoreNotice = replace('showInformationMessage', (message: string, ...buttons: string[]) => {
      asked.push({ message, detail: '', buttons });
      return Promise.resolve(answer);
    });
    const folders = (workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
      uri: uri.toString(),
      name,
    }));
    assert.ok(folders.length > 0);
    const paths = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath).join(', ');
    const expected = (agent: string): string =>
      `The agent '${agent}' asks for the paths of the open folders: ${paths}. It works without them.`;
    const first = [await questions.listRoots('coder'), await questions.listRoots('coder')];
    answer = 'Share paths';
    const reported = [await questions.listRoots('coder'), await questions.listRoots('other')];
    assert.deepEqual(
      [first, reported],
      [
        [[], []],
        [[], folders],
      ],
    );
    assert.deepEqual(
      asked.map(({ message, buttons }) => [message, buttons]),
      [
        [expected('coder'), ['Share paths']],
        [expected('other'), ['Share paths']],
      ],
    );
    restoreNotice();
  });
});

describe('what signing in does in VS Code', () => {
  it('keeps tokens in the secret storage, and opens a page as it is', async () => {
    const stored = new Map<string, string>();
    const storage = {
      get: (key: string) => Promise.resolve(stored.get(key)),
      store: (key: string, text: string) => Promise.resolve(void stored.set(key, text)),
      delete: (key: string) => Promise.resolve(void stored.delete(key)),
    } as unknown as SecretStorage;
    const uris = new SignInUris();
    const restoreUris = replace('registerUriHandler', () => ({ dispose: () => undefined }));
    const opened: unknown[] = [];
    const original = Object.getOwnPropertyDescriptor(commands, 'executeCommand');
    Object.defineProperty(commands, 'executeCommand', {
      configurable: true,
      value: (...words: unknown[]) => Promise.resolve(void opened.push(words)),
    });
    try {
      const host = openSignIn(storage, uris);
      await host.keep('a', 'one');
      const before = [await host.read('a'), [...stored]];
      await host.forget('a');
      assert.deepEqual([before, await host.read('a'), stored.size], [['one', [['a', 'one']]], undefined, 0]);
      await host.browser?.open(new URL('https://login.example/?a=b%2520c'));
      assert.deepEqual(opened, [['vscode.open', 'https://login.example/?a=b%2520c']]);
      // Behind a page, or far away, no browser of the user reaches a port of this computer.
      const isNear = env.uiKind === UIKind.Desktop && env.remoteName === undefined;
      const way = await host.browser?.openReturn(undefined);
      assert.match(
        decodeURIComponent(way?.address ?? ''),
        isNear ? /^http:\/\/127\.0\.0\.1:/ : /\/signed-in/,
      );
      way?.close();
    } finally {
      if (original) Object.defineProperty(commands, 'executeCommand', original);
      restoreUris();
      uris.dispose();
    }
  });
});
