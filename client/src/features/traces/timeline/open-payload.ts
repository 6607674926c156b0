import { window, workspace } from 'vscode';
import { setLanguage } from '../../../window/editor-language.ts';
import { showInformation, showWarning } from '../../../window/messages.ts';
import { chooseColumnBeside } from '../../../replies/reply-tabs.ts';
import type { ReplyDocuments } from '../../../replies/reply-documents.ts';
import { buildReplyTitle } from '../../../replies/reply-title.ts';
import { WHY_LOST } from '../../../../../trace/payload-check.ts';
import { PayloadLimiter } from '../../../../../trace/payload-limiter.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { runInSlices } from '../../../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../../../base/slices.ts';
import { DOCUMENT_LIMITS, payloadDocumentSteps } from './payload-document.ts';
import type { CallPlace } from '../../../trace/trace-source.ts';

/** The request or the reply of a call. */
export type PayloadSide = 'request' | 'reply';

/**
 * Shows the request or reply of a call beside the timeline, as a read-only document in its language. The
 * document is linked to the call `linked`.
 */
export async function openPayload(
  { source, call }: CallPlace,
  documents: ReplyDocuments,
  side: PayloadSide,
  linked: string | undefined,
): Promise<void> {
  const node = source.find(call);
  const direction = side === 'request' ? 'out' : 'in';
  const limiter = new PayloadLimiter(DOCUMENT_LIMITS);
  const payload = await source.payload(call, limiter);
  const work = payloadDocumentSteps(payload, direction, limiter.leftOutOf(direction));
  const built = (await runInSlices(work, EXTENSION_HOST))?.result;
  if (!node || !built) return showWarning(describeNothing(node, side));
  const title =
    side === 'request' ? buildRequestTitle(node.call.title) : buildReplyTitle(node.call.title, node);
  // An open call can still receive more, so its document is incomplete.
  const isCut = node.status === 'open' || built.cut !== undefined;
  const uri = documents.add(title, built.text, isCut ? 'cut' : 'whole', linked);
  const document = await setLanguage(await workspace.openTextDocument(uri), built.language);
  await window.showTextDocument(document, { viewColumn: chooseColumnBeside(undefined), preview: true });
  if (built.cut !== undefined) showInformation(`The ${side} is long. ${built.cut}`);
}

function describeNothing(node: CallNode | undefined, side: PayloadSide): string {
  if (!node) return 'This call is no longer stored. Send its request again to see it.';
  const { bytesOut, bytesIn } = node.traffic;
  if ((side === 'request' ? bytesOut : bytesIn) === 0) return `No bytes of the ${side} were recorded.`;
  return `The ${side} cannot be read any more: ${WHY_LOST}.`;
}

function buildRequestTitle(title: string): string {
  return `${title.replace(/[\\/]/g, '∕').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')} request`;
}
