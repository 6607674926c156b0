import { commands, languages, Range, Uri, window, workspace } from 'vscode';
import type { Outcome } from '../../../trace/words.ts';
import type { CallRequest } from '../agent-service.ts';
import { showWarning } from '../messages.ts';
import { buildReplyTitle } from '../replies/reply-title.ts';
import { runCall, type Sent } from '../run-call.ts';
import type { Services } from '../services.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../trust.ts';
import type { HistoryEntry } from './entry.ts';

/** Sends a request of the history once more, as it was. Undefined where it was not sent; the user has read why. */
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
      'Not sent. The history keeps no secrets and no text of more than a million characters, and this request held one. Send it from where it is written.',
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
    doubtful: errors === 'anyway' ? 'send' : 'hold',
    ...(source && { source }),
  };
  return runCall(services, agents, request, { again: how => sendAgain(services, entry, how) });
}

/** Opens what was asked as a new file, with the name of its agent, ready to be changed and sent. */
export async function openRequest({ agent, language, asked }: HistoryEntry): Promise<void> {
  const content = `# @agent ${agent}\n${asked}\n`;
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}

/** Opens what came, beside. */
export async function openReply(services: Services, entry: HistoryEntry): Promise<void> {
  const uri = services.replies.add(titleOf(entry), entry.text);
  const document = await workspace.openTextDocument(uri);
  await languages.setTextDocumentLanguage(document, entry.isProtocol ? entry.language : 'plaintext');
  await window.showTextDocument(document, { preview: true });
}

/** Shows two replies side by side with what differs, the older one first. */
export async function compareReplies(
  services: Services,
  one: HistoryEntry,
  other: HistoryEntry,
): Promise<void> {
  const [older, newer] = one.at <= other.at ? [one, other] : [other, one];
  const uris = [older, newer].map(entry => services.replies.add(titleOf(entry), entry.text));
  await commands.executeCommand('vscode.diff', ...uris, `${older.title} ↔ ${newer.title}`);
}

/** How a request of the history ended, as the rows of calls say it. */
export function toOutcome({ status, code, duration }: HistoryEntry): Outcome {
  return { status, code, duration };
}

function titleOf(entry: HistoryEntry): string {
  return buildReplyTitle(entry.title, toOutcome(entry));
}

async function openSource({ uri, line: wanted }: NonNullable<HistoryEntry['source']>): Promise<void> {
  const document = await workspace.openTextDocument(Uri.parse(uri, true));
  const line = Math.min(wanted, document.lineCount - 1);
  await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
}
