import { window, workspace } from 'vscode';
import { setLanguage } from '../convert/editor-language.ts';
import { showInformation, showWarning } from '../messages.ts';
import { chooseColumnBeside } from '../replies/reply-tabs.ts';
import type { ReplyDocuments } from '../replies/reply-documents.ts';
import { buildReplyTitle } from '../replies/reply-title.ts';
import { WHY_LOST } from '../../../trace/payload-check.ts';
import { PayloadRoom } from '../../../trace/payload-room.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { runInSlices } from '../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../slices.ts';
import { DOCUMENT_ROOM, payloadDocumentSteps } from './payload-document.ts';
import type { TraceSource } from './trace-source.ts';

/** What a call sent, or what came back. */
export type PayloadSide = 'request' | 'reply';

/** Shows beside the timeline what a call sent or what came back, as a read-only document in its language. */
export async function openPayload(
  source: TraceSource,
  documents: Pick<ReplyDocuments, 'add'>,
  call: string,
  side: PayloadSide,
): Promise<void> {
  const node = source.find(call);
  const direction = side === 'request' ? 'out' : 'in';
  const room = new PayloadRoom(DOCUMENT_ROOM);
  const payload = await source.payload(call, room);
  const work = payloadDocumentSteps(payload, direction, room.leftOutOf(direction));
  const built = (await runInSlices(work, EXTENSION_HOST))?.result;
  if (!node || !built) {
    showWarning(describeNothing(node, side), new Map());
    return;
  }
  const title =
    side === 'request' ? buildRequestTitle(node.call.title) : buildReplyTitle(node.call.title, node);
  // A call that is open is heard further: what is shown is not all of it.
  const isCut = node.status === 'open' || built.cut !== undefined;
  const uri = documents.add(title, built.text, isCut ? 'cut' : 'whole', call);
  const document = await setLanguage(await workspace.openTextDocument(uri), built.language);
  await window.showTextDocument(document, { viewColumn: chooseColumnBeside(undefined), preview: true });
  if (built.cut !== undefined) showInformation(`The ${side} is long. ${built.cut}`, new Map());
}

function describeNothing(node: CallNode | undefined, side: PayloadSide): string {
  if (!node) return 'This call is no longer kept. Send its request again to see it.';
  const { bytesOut, bytesIn } = node.traffic;
  if ((side === 'request' ? bytesOut : bytesIn) === 0) return `Nothing of the ${side} was on the wire.`;
  return `The ${side} cannot be read any more: ${WHY_LOST}.`;
}

function buildRequestTitle(title: string): string {
  return `${title.replace(/[\\/]/g, '∕').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')} request`;
}
