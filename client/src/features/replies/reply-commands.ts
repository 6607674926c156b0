import { languages, window, workspace, type Uri } from 'vscode';
import { showWarning } from '../../window/messages.ts';
import { listTabs } from '../../window/tabs.ts';
import type { GrowingReply } from '../../replies/growing-replies.ts';
import type { ReplySession } from '../../replies/reply-session.ts';
import { readReplyCall } from '../../replies/reply-query.ts';
import { chooseColumnBeside, closeReply } from '../../replies/reply-tabs.ts';
import { readCall, readUri } from '../../targets/arguments.ts';
import type { Command } from '../feature.ts';
import type { RepliesParts } from './parts.ts';

const NO_REPLY = 'Go to the tab of a streaming reply, then pause it.';
const NO_CALL =
  'The raw reply of this text is not known. Go to the tab of a reply of this window, then show it.';
const GONE = 'This call is no longer stored. Send its request again to see the raw reply.';

/**
 * Shows a reply in its page, in place of its document: for the tab of the button, the row of a call, or the reply in front.
 * Returns true if it is stored.
 */
export const readReply: Command<RepliesParts> = async ({ pages }, [target]) => {
  const uri = typeof target === 'string' ? undefined : findUri(target);
  const call = readCall(target) ?? (uri && readReplyCall(uri.query));
  const [tab] = uri && readCall(target) === undefined ? listTabs(uri) : [];
  const isShown = call !== undefined && pages.read(call, tab?.group.viewColumn);
  if (!isShown) showWarning(call === undefined ? NO_CALL : GONE);
  else if (tab && uri) await closeReply(uri);
  return isShown;
};

/** Pauses the view of a growing reply; what arrives is still stored. Returns true if there was one. */
export const pauseReply: Command<RepliesParts> = (services, [target]) => {
  const reply = findReply(services, target);
  reply?.pause();
  return reply !== undefined;
};

/** Resumes a paused view and shows everything that has arrived. Returns true if there was one. */
export const resumeReply: Command<RepliesParts> = async (services, [target]) => {
  const reply = findReply(services, target);
  await reply?.resume();
  return reply !== undefined;
};

/**
 * Shows the bytes on the wire of a reply beside it, growing as they arrive: for the tab of the button, the
 * row of a call, or the reply in front.
 */
export const showRaw: Command<RepliesParts> = async ({ raw, pages }, [target]) => {
  const uri = typeof target === 'string' ? undefined : findUri(target);
  const front = target === undefined ? pages.active?.call : undefined;
  const call = readCall(target) ?? (uri && readReplyCall(uri.query)) ?? front;
  const shown = call === undefined ? undefined : raw.find(call);
  if (!shown) return showWarning(call === undefined ? NO_CALL : GONE);
  const document = await workspace.openTextDocument(shown);
  await languages.setTextDocumentLanguage(document, 'plaintext');
  await window.showTextDocument(document, {
    viewColumn: chooseColumnBeside(uri),
    preserveFocus: true,
    preview: true,
  });
  return shown;
};

/** A reply that can be paused, in the page in front or in a document. */
function findReply(
  { growing, pages }: RepliesParts,
  target: unknown,
): GrowingReply | ReplySession | undefined {
  const uri = findUri(target);
  const reply = (target === undefined ? pages.active : undefined) ?? (uri && growing.find(uri));
  if (!reply) showWarning(NO_REPLY);
  return reply;
}

/** The document of a tab's button, else that of the tab in front. */
function findUri(target: unknown): Uri | undefined {
  return target === undefined ? window.activeTextEditor?.document.uri : readUri(target);
}
