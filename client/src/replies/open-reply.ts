import { ViewColumn, type Uri } from 'vscode';
import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { isTextView } from '../../../wire/reply-messages.ts';
import { layOutJson } from '../base/lay-out-json.ts';
import type { MediaFiles } from '../media/media-files.ts';
import { saveMedium } from '../media/save-medium.ts';
import type { TraceSource } from '../trace/trace-source.ts';
import { showWarning } from '../window/messages.ts';
import { readBody, readBodyAs } from './call-text.ts';
import type { ReplyDocuments } from './reply-documents.ts';
import { languageOfJson } from './reply-language.ts';
import type { ReplySession } from './reply-session.ts';
import { showReply, type ReplyPlace } from './reply-tabs.ts';
import { buildReplyTitle } from './reply-title.ts';

/** The document of a whole reply. */
export interface WholeDocument {
  readonly uri: Uri;
  readonly language: string;
}

/** A call, and the document of its reply, if its request was sent from this window. */
export interface ShownCall {
  readonly call: string;
  readonly whole: WholeDocument | undefined;
}

interface Parts {
  readonly source: TraceSource;
  readonly replies: ReplyDocuments;
}

/** Shows a reply in AICL or AICF, converted if it is in another protocol. */
export async function showInLanguage(
  parts: Parts,
  { call, whole }: ShownCall,
  language: MessageLanguage,
  place: ReplyPlace,
): Promise<void> {
  const uri =
    whole?.language === language
      ? whole.uri
      : addDocument(parts, call, await readBodyAs(parts.source, call, language));
  await showReply(uri, language, place);
}

/** Opens a reply as a document, in the language in which it was received. */
export async function openAsText(parts: Parts, { call, whole }: ShownCall): Promise<void> {
  const document = whole ?? (await buildDocument(parts, call));
  const place = { viewColumn: ViewColumn.Active, preview: true, takesFocus: true } as const;
  await showReply(document.uri, document.language, place);
}

async function buildDocument(parts: Parts, call: string): Promise<WholeDocument> {
  const body = await readBody(parts.source, call);
  const protocol = parts.source.find(call)?.call.protocol;
  const language = isTextView(protocol) ? protocol : languageOfJson(body);
  return { language, uri: addDocument(parts, call, language === 'json' ? layOutJson(body) : body) };
}

function addDocument({ source, replies }: Parts, call: string, text: string): Uri {
  const node = source.find(call);
  const isCut = node?.status !== 'ok' && node?.status !== 'error';
  const title = node ? buildReplyTitle(node.call.title, node) : 'Reply';
  return replies.add(title, text, isCut ? 'cut' : 'whole', call);
}

/** Shows the medium of a part in VS Code's viewer; a file is saved. */
export async function openMedium(media: MediaFiles, session: ReplySession, part: string): Promise<void> {
  const found = await session.findMedium(part);
  if (!found) return showWarning('This part of the reply is no longer stored. Send the request again.');
  const { kind, mediaType, name, base64 = '', address } = found;
  const content = address === undefined ? { base64 } : { address };
  const medium = { kind, mediaType, name, content };
  await (kind === 'file' && address === undefined ? saveMedium(medium) : media.show(medium));
}
