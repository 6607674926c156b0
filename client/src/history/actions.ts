import { commands, languages, Range, Uri, window, workspace } from 'vscode';
import type { Outcome } from '../../../trace/words.ts';
import type { CallRequest } from '../agent-service.ts';
import { openOrWarn } from '../commands/targets/open-or-warn.ts';
import { showWarning } from '../messages.ts';
import { buildReplyTitle } from '../replies/reply-title.ts';
import { runCall, type Sent } from '../sending/run-call.ts';
import type { Services } from '../services.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../trust.ts';
import type { HistoryEntry } from './entry.ts';

/** Sends a request of the history again unchanged. Returns undefined if it was not sent, after a warning. */
export async function sendAgain(
  services: Services,
  entry: HistoryEntry,
  errors: 'stop' | 'anyway' = 'stop',
): Promise<Sent | undefined> {
  const { agents } = services;
  const refusal = agents ? (maySend() ? undefined : UNTRUSTED) : IN_BROWSER;
  if (!agents || refusal !== undefined) {
    showWarning(refusal ?? IN_BROWSER, new Map());
    return undefined;
  }
  if (entry.isRedacted) {
    const { source } = entry;
    showWarning(
      'Not sent. The history does not store secrets or texts of more than a million characters, and this request contained one. Send it from its file.',
      new Map(source ? [['Go to request', () => openSource(source)]] : []),
    );
    return undefined;
  }
  const { agent, title, language, timeout, source } = entry;
  const request: CallRequest = {
    agent,
    title,
    language,
    wireText: entry.asked,
    timeout,
    warningPolicy: errors === 'anyway' ? 'send' : 'hold',
    ...(source && { source }),
  };
  return runCall(services, agents, request, { again: how => sendAgain(services, entry, how) });
}

/** Opens the request as a new file with its agent's name, ready to be changed and sent. */
export async function openRequest({ agent, language, asked }: HistoryEntry): Promise<void> {
  const content = `# @agent ${agent}\n${asked}\n`;
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}

/** Opens the reply beside. */
export async function openReply(services: Services, entry: HistoryEntry): Promise<void> {
  const uri = services.replies.add(titleOf(entry), entry.text);
  const document = await workspace.openTextDocument(uri);
  await languages.setTextDocumentLanguage(document, entry.isProtocol ? entry.language : 'plaintext');
  await window.showTextDocument(document, { preview: true });
}

/** Shows two replies in the diff editor, the older one first. */
export async function compareReplies(
  services: Services,
  one: HistoryEntry,
  other: HistoryEntry,
): Promise<void> {
  const [older, newer] = one.at <= other.at ? [one, other] : [other, one];
  const uris = [older, newer].map(entry => services.replies.add(titleOf(entry), entry.text));
  await commands.executeCommand('vscode.diff', ...uris, `${older.title} ↔ ${newer.title}`);
}

/** The outcome of a request in the history, for the same descriptions as in lists of calls. */
export function toOutcome({ status, code, duration }: HistoryEntry): Outcome {
  return { status, code, duration };
}

function titleOf(entry: HistoryEntry): string {
  return buildReplyTitle(entry.title, toOutcome(entry));
}

async function openSource({ uri, line: wanted }: NonNullable<HistoryEntry['source']>): Promise<void> {
  const document = await openOrWarn(Uri.parse(uri, true));
  if (!document) return;
  const line = Math.min(wanted, document.lineCount - 1);
  await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
}
