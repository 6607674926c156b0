import assert from 'node:assert/strict';
import {
  commands,
  extensions,
  languages,
  Range,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
  type Diagnostic,
  type TextDocument,
} from 'vscode';
import type { BegunCall, CallOutcome } from '../../../client/src/services/agent-service.ts';
import { defer } from '../../../client/src/base/deferred.ts';
import type { ParleyApi } from '../../../client/src/extension.ts';
import type { Sent } from '../../../client/src/sending/run-call.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

/** The running extension's API. */
export async function activateParley(): Promise<ParleyApi> {
  const extension = extensions.getExtension<ParleyApi>('parley.parley');
  assert.ok(extension, 'the extension parley.parley is not there');
  return extension.activate();
}

/** A file of the samples that this window is open on. */
export function sampleUri(name: string): Uri {
  const folder = workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the window has no folder');
  return Uri.joinPath(folder.uri, name);
}

/** Opens a sample in front. */
export async function showSample(name: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(sampleUri(name));
  await window.showTextDocument(document);
  return document;
}

/** A new file of the window's folder, opened. Untitled documents take each other's names when they close. */
export async function openScratch(name: string, content: string): Promise<TextDocument> {
  const uri = sampleUri(name);
  await workspace.fs.writeFile(uri, new TextEncoder().encode(content));
  const document = await workspace.openTextDocument(uri);
  const print = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  // What VS Code still holds of a file of this name, from an earlier test, follows the disk a moment later.
  return waitFor(`the text of ${name}`, () =>
    print(document.getText()) === print(content) ? document : undefined,
  );
}

/** What came of a call, whether it began or not. */
export async function outcomeOf(call: Promise<BegunCall | CallOutcome>): Promise<CallOutcome> {
  const begun = await call;
  return 'status' in begun ? begun : begun.outcome;
}

/** Closes all editors, so that a test begins with none. */
export async function closeEditors(): Promise<void> {
  await commands.executeCommand('workbench.action.closeAllEditors');
}

/** Sends the request that begins with `text` in a document, as its lens does. */
export async function sendRequest(document: TextDocument, text: string): Promise<Sent | undefined> {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${text} is not in ${document.uri.path}`);
  const { line, character } = document.positionAt(offset);
  return inTime(
    `the reply to ${text}`,
    commands.executeCommand<Sent | undefined>('parley.send', document.uri.toString(), { line, character }),
  );
}

/** Replaces the first place of a text in a document. */
export async function replaceText(document: TextDocument, text: string, by: string): Promise<void> {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${text} is not in ${document.uri.path}`);
  const span = new Range(document.positionAt(offset), document.positionAt(offset + text.length));
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, span, by);
  assert.ok(await workspace.applyEdit(edit));
}

/** Waits until a check holds, asking again on every change of diagnostics, documents and editors. */
export async function waitFor<Value>(what: string, find: () => Value | undefined): Promise<Value> {
  const found = find();
  if (found !== undefined) return found;
  const { promise, resolve } = defer<Value | undefined>();
  const ask = (): void => {
    const value = find();
    if (value !== undefined) resolve(value);
  };
  const subscriptions = [
    languages.onDidChangeDiagnostics(ask),
    workspace.onDidOpenTextDocument(ask),
    workspace.onDidChangeTextDocument(ask),
    window.onDidChangeVisibleTextEditors(ask),
    window.tabGroups.onDidChangeTabs(ask),
  ];
  const timer = setTimeout(() => resolve(undefined), 60_000);
  try {
    const value = await promise;
    if (value === undefined) throw new Error(`waited in vain for ${what}`);
    return value;
  } finally {
    clearTimeout(timer);
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** The time in milliseconds after which a wait fails, so that a test that hangs says what it waits for. */
const PATIENCE = 90_000;

/**
 * The first value of a question that is asked again until there is one. Fails after `PATIENCE`, with the traces of the
 * window.
 */
export async function until<Value>(
  what: string,
  find: () => Value | undefined | PromiseLike<Value | undefined>,
): Promise<Value> {
  const end = performance.now() + PATIENCE;
  while (performance.now() < end) {
    const found = await inTime(what, Promise.resolve(find()));
    if (found !== undefined && found !== false) return found;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain for ${what}\n${await describeTraces()}`);
}

/** The result of an operation, which fails after `PATIENCE` with the traces of the window. */
export async function inTime<Value>(what: string, done: PromiseLike<Value>): Promise<Value> {
  const { promise, resolve } = defer<undefined>();
  const timer = setTimeout(() => resolve(undefined), PATIENCE);
  const isLate = promise.then(async () => {
    throw new Error(`waited in vain for ${what}\n${await describeTraces()}`);
  });
  try {
    return await Promise.race([done, isLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** The latest calls of the window as lines, indented below their parents. */
async function describeTraces(): Promise<string> {
  const describe = (
    { call, status, parentage, children, notes }: CallNode,
    indent: string,
  ): readonly string[] => [
    `${indent}${call.agent} ${call.title} ${status} ${call.seen ?? 'sent'} ${parentage ?? ''} ${call.call} at ${call.at} ${notes.join('; ')}`,
    ...children.flatMap(child => describe(child, `${indent}  `)),
  ];
  const trees = (await activateParley()).traces().slice(0, 5);
  const tabs = window.tabGroups.all.flatMap(group => group.tabs.map(({ label }) => label));
  return [
    `tabs: ${tabs.join(', ')}`,
    ...trees.flatMap(({ trace, roots }) => [trace, ...roots.flatMap(root => describe(root, '  '))]),
  ].join('\n');
}

/** The diagnostics of a document as soon as there are any. */
export function waitForDiagnostics(uri: Uri): Promise<readonly Diagnostic[]> {
  return waitFor(`diagnostics of ${uri.path}`, () => {
    const found = languages.getDiagnostics(uri);
    return found.length > 0 ? found : undefined;
  });
}

/** Titles of the tabs of replies, in order. */
export function listReplyTabs(): readonly string[] {
  const tabs = window.tabGroups.all.flatMap(group => group.tabs);
  return tabs.filter(tab => JSON.stringify(tab.input)?.includes('parley-reply')).map(tab => tab.label);
}

/** Runs with one more agent in the agents file, and puts the file back. */
export function withAgent(
  name: string,
  url: string,
  run: () => Promise<void>,
  protocol = 'aicf',
): Promise<void> {
  return withAgents({ [name]: url }, protocol, run);
}

/** Runs with more agents in the agents file, by their names with their addresses, and puts the file back. */
export function withAgents(
  urls: Readonly<Record<string, string>>,
  protocol: string,
  run: () => Promise<void>,
): Promise<void> {
  const entries: Record<string, unknown> = {};
  for (const [name, url] of Object.entries(urls)) entries[name] = { protocol, type: 'http', url };
  return withEntries(entries, run);
}

/** Runs with more entries in the agents file, by their names, and puts the file back. */
export async function withEntries(
  entries: Readonly<Record<string, unknown>>,
  run: () => Promise<void>,
): Promise<void> {
  const uri = sampleUri('.vscode/agents.json');
  const before = await workspace.fs.readFile(uri);
  const file = JSON.parse(new TextDecoder().decode(before)) as { agents: Record<string, unknown> };
  Object.assign(file.agents, entries);
  await workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(file)));
  try {
    await run();
  } finally {
    await workspace.fs.writeFile(uri, before);
  }
}
